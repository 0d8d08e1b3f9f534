import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { t } from '../texts.ts';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
}

export function IconButton({ icon, label, onClick, disabled = false }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** Copies `text`, and says so for a moment. */
export function CopyButton({ text, label = t.shell.copy }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return <IconButton icon="copy" label={copied ? t.shell.copied : label} onClick={() => void copy()} />;
}

/** Pages that are not secure have no clipboard API, so there a selection is copied. */
export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The browser's own modal dialog: it keeps the focus, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) dialog.current?.close();
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

interface BarProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly text: string;
}

/** How much of something there is, as a bar with its figures. */
export function Bar({ label, value, max, text }: BarProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div class="bar">
      <span>{label}</span>
      <div
        class="track"
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
      >
        <div class="fill" style={{ width: `${share * 100}%` }} />
      </div>
      <span class="figures">{text}</span>
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}

/** A labelled control; `children` is the control itself. */
export function Field({ label, hint, children }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint !== undefined && <small>{hint}</small>}
    </label>
  );
}

/** Why something failed; announced to screen readers. */
export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
