import { signal } from '@preact/signals';
import { Fragment, type ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../words/texts.ts';
import { IconButton } from '../controls.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Whether it stays where somebody presses beside it or goes elsewhere, because its content is not shown again. */
  readonly isKept?: boolean;
  /** Asked before it is closed without one of `actions`; false: it stays. */
  readonly mayLeave?: () => boolean;
  /** The buttons that end it: in sight below its body, however far that is scrolled. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The browser's own modal dialog: it keeps the focus, and Escape closes it. */
export function Dialog({
  title,
  onClose,
  isKept = false,
  mayLeave = () => true,
  actions,
  children,
}: DialogProps) {
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
      // The focus goes back to where it was opened; ui/keep-focus.ts finds another place where that is gone.
      close();
    };
  }, []);
  // Not left to the browser: one that was asked often enough closes all dialogs at once, and asks none.
  const leave = (event: Event) => {
    event.preventDefault();
    if (mayLeave()) dialog.current?.close();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={() => isLeft.current || onClose()}
      // The keyboard stays in it where something is pressed that takes no focus.
      tabindex={-1}
      // A file that was not chosen, and a word that was not composed, end nothing but that.
      onCancel={(event) => event.target === dialog.current && leave(event)}
      onKeyDown={(event) => event.key === 'Escape' && !event.isComposing && leave(event)}
      onPointerDown={(event) => {
        // A selection that ends beside the dialog began in it.
        const { currentTarget } = event;
        if (!isKept && event.target === currentTarget && isBeside(currentTarget, event)) leave(event);
      }}
    >
      <header>
        <h2 id={titleId}>{title}</h2>
        <IconButton icon="close" label={t.shell.close} onClick={leave} />
      </header>
      <div class="dialog-body">{children}</div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </dialog>
  );
}

/** Whether a pointer is on the veil: outside of the box of the dialog, to which the veil belongs. */
function isBeside(dialog: HTMLDialogElement, { clientX, clientY }: PointerEvent): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

type Opened = (close: () => void) => ComponentChildren;

const opened = signal<readonly Opened[]>([]);

/** Opens a dialog that outlives its opener, such as a row that somebody else deletes. */
export function openDialog(dialog: Opened): void {
  opened.value = [...opened.value, dialog];
}

const close = (dialog: Opened) => (opened.value = opened.value.filter((one) => one !== dialog));

/** Where such dialogs are, the last one on top. */
export function OpenDialogs() {
  // Who signs in next does not find them.
  useEffect(() => () => void (opened.value = []), []);
  return opened.value.map((dialog) => <Fragment key={dialog}>{dialog(() => close(dialog))}</Fragment>);
}
