import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '../texts.ts';
import { IconButton } from './controls.tsx';

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
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
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

interface ConfirmProps {
  readonly question: string;
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ question, action, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={action} onClose={onClose}>
      <p>{question}</p>
      <div class="actions">
        <button type="button" onClick={onClose}>
          {t.shell.cancel}
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            onConfirm();
            onClose();
          }}
        >
          {action}
        </button>
      </div>
    </Dialog>
  );
}
