import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../texts.ts';
import { Button, IconButton } from './controls.tsx';
import type { IconName } from './icon.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether only its buttons close it, because what it shows is not shown again. */
  readonly isKept?: boolean;
  readonly children: ComponentChildren;
}

/** The browser's own modal dialog: it keeps the focus, and Escape closes it. */
export function Dialog({ title, onClose, isKept = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const isLeft = useRef(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    // Before anything else happens: a key that is pressed now is for the dialog.
    element?.showModal();
    const close = () => element?.close();
    // The view that it belongs to is left. One whose contents are not shown again stays.
    if (!isKept) addEventListener('hashchange', close);
    return () => {
      removeEventListener('hashchange', close);
      isLeft.current = true;
      // The focus goes back to where it was opened.
      close();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={() => isLeft.current || onClose()}
      onKeyDown={(event) => {
        if (isKept && event.key === 'Escape') event.preventDefault();
      }}
      onPointerDown={(event) => {
        // A selection that ends beside the dialog began in it.
        const { currentTarget } = event;
        if (!isKept && event.target === currentTarget && isBeside(currentTarget, event))
          currentTarget.close();
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <IconButton icon="close" label={t.shell.close} onClick={() => dialog.current?.close()} />
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** Whether a pointer is on the veil: outside of the box of the dialog, to which the veil belongs. */
function isBeside(dialog: HTMLDialogElement, { clientX, clientY }: PointerEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

interface QuestionProps {
  /** The title, and the button that does it. */
  readonly action: string;
  readonly question: string | (() => string);
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something is done that cannot be undone. */
export const Question = ({ action, question, onConfirm, onClose }: QuestionProps) => (
  <Dialog title={action} onClose={onClose}>
    <p>{typeof question === 'string' ? question : question()}</p>
    <div class="actions">
      <Button text={t.shell.cancel} onClick={onClose} />
      <Button
        class="danger"
        text={action}
        onClick={() => {
          onConfirm();
          onClose();
        }}
      />
    </div>
  </Dialog>
);

interface AskingProps extends Omit<QuestionProps, 'onClose'> {
  /** In place of the text, with the label of its button. */
  readonly icon?: IconName;
  readonly label?: string;
  readonly class?: string;
}

/** A button that asks before it acts. */
export function AskingButton({ icon, label, class: name = '', ...question }: AskingProps) {
  const { action } = question;
  const [isAsking, setAsking] = useState(false);
  const ask = () => setAsking(true);
  return (
    <>
      {icon === undefined ? (
        <Button class={name} text={action} onClick={ask} />
      ) : (
        <IconButton icon={icon} label={label ?? action} onClick={ask} />
      )}
      {isAsking && <Question {...question} onClose={() => setAsking(false)} />}
    </>
  );
}
