import type { ComponentChildren, ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import { isServerAway, probe } from '../api/connection.ts';
import { longSeconds, useSeconds } from '../state/polled.ts';
import { t } from '../words/texts.ts';
import { copyText } from './copy-text.ts';
import { Icon, type IconName } from './icon.tsx';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'icon' | 'label'> {
  readonly text: ComponentChildren;
  readonly icon?: IconName;
  /** Whether its work is under way: it does nothing meanwhile, and soon shows that. */
  readonly isBusy?: boolean;
}

/**
 * A button that sends no form unless its `type` says so. One of another type is another element: a button that becomes one
 * that sends while it is pressed would send by that press. While it is `disabled` it keeps the focus, and does nothing.
 */
export const Button = ({ text, icon, type = 'button', disabled, isBusy, onClick, ...rest }: ButtonProps) => (
  <button
    key={type}
    type={type}
    aria-disabled={disabled}
    aria-busy={isBusy}
    onClick={disabled || isBusy ? (event) => event.preventDefault() : onClick}
    {...rest}
  >
    {icon !== undefined && <Icon name={icon} />}
    {text}
  </button>
);

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'icon' | 'label'> {
  readonly icon: IconName;
  readonly label: string;
}

/** As Button, with a picture in place of words. */
export const IconButton = ({ icon, label, type = 'button', ...rest }: IconButtonProps) => (
  <button key={type} type={type} class="icon-button" aria-label={label} title={label} {...rest}>
    <Icon name={icon} />
  </button>
);

interface CopyProps {
  readonly text: string;
  readonly label?: string;
  /** Whether one is here for copying: it has its words then. */
  readonly isMain?: boolean;
}

/** Copies `text`, and says so for a moment. */
export function CopyButton({ text, label = t.shell.copy, isMain = false }: CopyProps) {
  const [copied, setCopied] = useState<boolean>();
  const copy = async () => {
    setCopied(await copyText(text));
    setTimeout(() => setCopied(undefined), 1500);
  };
  const outcome = copied === undefined ? label : copied ? t.shell.copied : t.shell.notCopied;
  const icon = copied === undefined ? 'copy' : copied ? 'done' : 'close';
  const act = () => void copy();
  return isMain ? (
    <Button class="primary" autofocus icon={icon} text={outcome} onClick={act} />
  ) : (
    <IconButton icon={icon} label={outcome} onClick={act} />
  );
}

interface BarProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly text: string;
  /** Whether it shows the use of a limit: it warns near its end. */
  readonly isUse?: boolean;
}

const mostAmple = 0.8;

/** How much of something there is, as a bar with its figures. */
export function Bar({ label, value, max, text, isUse = false }: BarProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div class={isUse && share === 1 ? 'bar spent' : 'bar'}>
      <span>{label}</span>
      <div
        class={isUse && share > mostAmple ? 'track scarce' : 'track'}
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text || label}
      >
        <div class="fill" style={{ width: `${share * 100}%` }} />
      </div>
      {text !== '' && <span class="figures">{text}</span>}
    </div>
  );
}

interface WaitingProps {
  /** Asks for it again. */
  readonly onAgain?: (() => void) | undefined;
}

/** In place of an answer to come from the server: that it is awaited, and once that takes long a way to ask again. */
export function Waiting({ onAgain = () => void probe() }: WaitingProps) {
  const isLong = useSeconds() >= longSeconds;
  if (isServerAway.value) return <p class="note empty-handed">{t.errors.notLoaded}</p>;
  return (
    <p class={isLong ? 'note' : 'note pulse'}>
      {isLong ? t.shell.takesLong : t.shell.loading}{' '}
      {isLong && <Button text={t.errors.tryNow} onClick={onAgain} />}
    </p>
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
