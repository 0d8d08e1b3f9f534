import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Polled } from '../state/polled.ts';
import { t } from '../texts.ts';
import { copyText } from './copy-text.ts';
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
  const [copied, setCopied] = useState<boolean>();
  const copy = async () => {
    setCopied(await copyText(text));
    setTimeout(() => setCopied(undefined), 1500);
  };
  const outcome = copied === undefined ? label : copied ? t.shell.copied : t.shell.notCopied;
  const icon = copied === undefined ? 'copy' : copied ? 'done' : 'close';
  return <IconButton icon={icon} label={outcome} onClick={() => void copy()} />;
}

interface BarProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly text: string;
  /** Whether what is missing was spent, and shows in another colour. */
  readonly spent?: boolean;
}

/** How much of something there is, as a bar with its figures. */
export function Bar({ label, value, max, text, spent = false }: BarProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div class="bar">
      <span>{label}</span>
      <div
        class={spent && share < 1 ? 'track spent' : 'track'}
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

interface CheckedFieldProps extends FieldProps {
  /** A message about the value; undefined: it is valid. */
  readonly problem: string | undefined;
}

/** A labelled control that says what is wrong with its value. */
export function CheckedField({ label, hint, problem, children }: CheckedFieldProps) {
  return (
    <label class={problem === undefined ? 'field' : 'field wrong'}>
      <span>{label}</span>
      {children}
      {(problem ?? hint) !== undefined && (
        <small role={problem === undefined ? undefined : 'alert'}>{problem ?? hint}</small>
      )}
    </label>
  );
}

interface CheckProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export const Check = ({ label, isOn, onChange }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {label}
  </label>
);

interface ChoiceProps<Value extends string> {
  readonly label?: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Values with their texts. */
  readonly options: readonly (readonly [Value, string])[];
}

/** A select of `options`. `label`: where no field names it. */
export function Choice<Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
    >
      {options.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The line in place of a value from the server: loading until the first answer came, and the error once one failed. */
export function Progress({ of: { value, error } }: { of: Polled<unknown> }) {
  if (error !== undefined) return <Problem text={error} />;
  return value === undefined ? <p class="note pulse">{t.shell.loading}</p> : null;
}

/** Why something failed; announced to screen readers. */
export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}
