import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ApiError } from '../api/request.ts';
import { useWork } from '../state/polled.ts';
import { Button, Problem } from './controls.tsx';
import { Form } from './fields.tsx';
import { Dialog } from './dialog.tsx';
import './fields.css';

interface Props {
  readonly title: string;
  readonly action: string;
  /** What the form is for; the dialog closes when it is done. Where it fails, the reason is told, by the field that it names. */
  readonly work: () => Promise<unknown>;
  readonly onClose: () => void;
  /** What else can be done, beside the button of the form. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A form in a dialog. */
export function FormDialog({ title, action, work, onClose, beside, children }: Props) {
  const { problem, act } = useWork();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // On a screen that is touched that would call its keyboard.
    if (!matchMedia('(pointer: coarse)').matches)
      form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, []);
  const tell = async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    const { param, message } = error;
    const field = form.current?.elements.namedItem(param ?? '');
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) throw error;
    const label = field.labels?.[0]?.firstElementChild?.textContent;
    const { tellBeside } = await import('./wrong-fields.ts');
    tellBeside(field, label ? message.replace(`'${param}'`, `"${label}"`) : message);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form ref={form} onSend={() => void act(work().then(onClose, tell))}>
        {children}
        <Problem text={problem} />
        <div class="actions">
          {beside}
          <Button type="submit" class="primary" text={action} />
        </div>
      </Form>
    </Dialog>
  );
}
