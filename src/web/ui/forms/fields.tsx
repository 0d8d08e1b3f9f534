import type {
  ComponentChildren,
  ComponentProps,
  InputHTMLAttributes,
  PartialInputHTMLAttributes,
  Ref,
} from 'preact';
import { useId } from 'preact/hooks';
import { Button } from '../controls.tsx';

/** Makes `area` as high as its text, up to the style sheet's limit. */
export function fitHeight(area: HTMLTextAreaElement): void {
  area.style.height = 'auto';
  const borders = area.offsetHeight - area.clientHeight;
  area.style.height = `${area.scrollHeight + borders}px`;
}

/** A form whose sending is the page's own work. Faults are told below its fields, not by the browser. */
export const Form = ({ onSend, ...rest }: ComponentProps<'form'> & { readonly onSend: () => void }) => (
  <form
    noValidate
    {...rest}
    onSubmit={(event) => {
      event.preventDefault();
      const { currentTarget: form } = event;
      if (form.checkValidity()) onSend();
      else void import('./wrong-fields.ts').then(({ tellWrongFields }) => tellWrongFields(form));
    }}
  />
);

interface FileChoiceProps {
  readonly text: string;
  readonly class?: string;
  readonly accept: string;
  readonly disabled?: boolean;
  readonly onFile: (file: File) => void;
}

/** A button by which a file is chosen. */
export const FileChoice = ({ text, class: name = '', onFile, ...input }: FileChoiceProps) => (
  <label class={`button ${name}`}>
    {text}
    <FileInput class="visually-hidden" onFiles={([file]) => file && onFile(file)} {...input} />
  </label>
);

type InputAttributes = Omit<
  PartialInputHTMLAttributes<HTMLInputElement>,
  'label' | 'onChange' | 'role' | 'type' | 'value'
>;

interface FileInputProps extends InputAttributes {
  readonly ref?: Ref<HTMLInputElement>;
  readonly onFiles: (files: readonly File[]) => void;
}

export const FileInput = ({ onFiles, ...rest }: FileInputProps) => (
  <input
    type="file"
    {...rest}
    onChange={({ currentTarget }) => {
      onFiles([...(currentTarget.files ?? [])]);
      // The same file may be chosen again.
      currentTarget.value = '';
    }}
  />
);

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** The fault of the value; undefined: it is valid. */
  readonly problem?: string | undefined;
  readonly children: ComponentChildren;
}

/** A labelled control; `children` is the control itself. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const isWrong = problem !== undefined;
  const hintId = useId();
  // The content of the label is its control's name, so the hint is beside it.
  return (
    <div class="field" {...(hint !== undefined && { role: 'group', 'aria-describedby': hintId })}>
      <label>
        <span>{label}</span>
        {children}
      </label>
      {(problem ?? hint) !== undefined && (
        <small id={hintId} class={isWrong ? 'wrong' : ''} role={isWrong ? 'alert' : undefined}>
          {problem ?? hint}
        </small>
      )}
    </div>
  );
}

interface InputProps extends InputAttributes {
  readonly ref?: Ref<HTMLInputElement>;
  readonly type?: 'text' | 'number' | 'password' | 'search';
  readonly list?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** An input that tells each change of its text. */
export const Input = ({ onChange, ...rest }: InputProps) => (
  // Preact's types are a union by `type`, which a type that is passed on is no member of.
  <input {...(rest as InputHTMLAttributes)} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
);

/** A labelled input. */
export const TextField = ({
  label,
  problem,
  ...input
}: InputProps & Pick<FieldProps, 'label' | 'problem'>) => (
  <Field label={label} problem={problem}>
    <Input aria-invalid={problem !== undefined} {...input} />
  </Field>
);

/** Where something is searched for. */
export const SearchBox = ({ label, ...input }: InputProps & Pick<FieldProps, 'label'>) => (
  <Input type="search" aria-label={label} placeholder={label} {...input} />
);

interface CheckProps {
  readonly label: ComponentChildren;
  readonly class?: string;
  readonly isOn: boolean;
  readonly required?: boolean;
  /** The fault where it is required, and none is chosen. */
  readonly missing?: string | undefined;
  readonly onChange: (isOn: boolean) => void;
}

export const Check = ({ label, class: name = 'check', isOn, required, missing, onChange }: CheckProps) => (
  <label class={name}>
    <input
      type="checkbox"
      checked={isOn}
      required={required}
      data-missing={missing}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
    {label}
  </label>
);

interface ChoiceProps<Value extends string> {
  readonly required?: boolean;
  /** The fault where it is required, and nothing is chosen. */
  readonly missing?: string;
  readonly label?: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Values with their texts. */
  readonly options: readonly (readonly [Value, ComponentChildren])[];
}

/** The options of a choice between all that have a text. */
export const optionsOf = <Value extends string>(texts: Readonly<Record<Value, string>>) =>
  Object.entries(texts) as [Value, string][];

/** A choice of which all `options` are seen. */
export const Segments = <Value extends string>({ label, value, onChange, options }: ChoiceProps<Value>) => (
  <div class="segmented" role="group" aria-label={label}>
    {options.map(([one, text]) => (
      <Button key={one} aria-pressed={one === value} text={text} onClick={() => onChange(one)} />
    ))}
  </div>
);

/** A labelled select. */
export const ChoiceField = <Value extends string>({
  label,
  hint,
  ...choice
}: ChoiceProps<Value> & Pick<FieldProps, 'label' | 'hint'>) => (
  <Field label={label} hint={hint}>
    <Choice {...choice} />
  </Field>
);

/** A select of `options`. `label`: where no field names it. */
export function Choice<Value extends string>({
  label,
  value,
  required,
  missing,
  onChange,
  options,
}: ChoiceProps<Value>) {
  return (
    <select
      aria-label={label}
      required={required}
      data-missing={missing}
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
