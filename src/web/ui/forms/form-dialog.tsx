import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError } from '../../api/request.ts';
import { useWork } from '../../state/polled.ts';
import { t } from '../../words/operator-texts.ts';
import { Button } from '../controls.tsx';
import { Form } from './fields.tsx';
import { ask } from '../overlays/ask.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { Outcome } from '../outcome.tsx';
import './fields.css';

interface Props {
  readonly title: string;
  readonly action: string;
  /** Work of the form; then the dialog closes. Where it fails, the reason is told, by the field that it names. */
  readonly work: () => Promise<unknown>;
  readonly onClose: () => void;
  /** Told where the server no longer has the thing to be changed. */
  readonly gone?: string;
  /** Other buttons, beside that of the form. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form in a dialog, which asks before it throws away written text. */
export function FormDialog({ title, action, work, onClose, gone, beside, children }: Props) {
  const state = useWork();
  const form = useRef<HTMLFormElement>(null);
  const formId = useId();
  const isWritten = useRef(false);
  useLayoutEffect(() => {
    // On a screen that is touched that would call its keyboard. A choice that is made already is passed over.
    if (!matchMedia('(pointer: coarse)').matches)
      form.current?.querySelector<HTMLElement>('input, select:invalid, textarea')?.focus();
  }, []);
  const tell = async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    const { param, message, status } = error;
    if (status === 404 && gone !== undefined) throw new Error(gone);
    const field = form.current?.elements.namedItem(param ?? '');
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) throw error;
    const label = field.labels?.[0]?.firstElementChild?.textContent;
    const { tellBeside } = await import('./wrong-fields.ts');
    tellBeside(field, label ? message.replace(`'${param}'`, `"${label}"`) : message);
  };
  const write = () => {
    isWritten.current = true;
  };
  const mayLeave = () => {
    if (isWritten.current) ask({ ...t.unsaved, onConfirm: onClose });
    return !isWritten.current;
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      mayLeave={mayLeave}
      actions={
        <>
          <Outcome of={state} />
          {beside}
          <Button type="submit" form={formId} class="primary" isBusy={state.isBusy} text={action} />
        </>
      }
    >
      <Form
        ref={form}
        id={formId}
        onInput={write}
        // Changes by its buttons, such as adding a budget, count as written too.
        onClick={({ target }) => target instanceof Element && target.closest('button') !== null && write()}
        onSend={() => void state.act(work().then(onClose, tell))}
      >
        {children}
      </Form>
    </Dialog>
  );
}
