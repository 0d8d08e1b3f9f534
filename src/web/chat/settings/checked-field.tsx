import { useEffect, useState } from 'preact/hooks';
import { Field } from '../../ui/forms/fields.tsx';

interface Props {
  readonly label: string;
  readonly hint?: string | undefined;
  /** undefined: nothing is set. */
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
  /** Why a text cannot be used; undefined: it can. */
  readonly problemOf: (text: string) => string | undefined;
  /** Of a number; undefined: the text may have several lines. */
  readonly type?: 'number';
  readonly min?: number;
  readonly max?: number | undefined;
  readonly step?: number;
  readonly placeholder?: string | undefined;
  readonly rows?: number;
  readonly class?: string | undefined;
}

/** A text or a number. Only one that is right is handed on; a fault is told below. */
export function CheckedField({ label, hint, value, onChange, problemOf, ...rest }: Props) {
  const [text, setText] = useState(value ?? '');
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    // A preset, or the way back to the defaults, puts another value here.
    if (value === undefined && problem !== undefined) return;
    setText(value ?? '');
    setProblem(undefined);
  }, [value]);
  const Control = rest.type === undefined ? 'textarea' : 'input';
  return (
    <Field label={label} hint={hint} problem={problem}>
      <Control
        {...rest}
        spellcheck={false}
        aria-invalid={problem !== undefined}
        value={text}
        onInput={({ currentTarget: { value: next, validity } }: { currentTarget: Written }) => {
          const isEmpty = next.trim() === '' && !validity.badInput;
          const wrong = isEmpty ? undefined : problemOf(next);
          setText(next);
          setProblem(wrong);
          onChange(isEmpty || wrong !== undefined ? undefined : next);
        }}
      />
    </Field>
  );
}

type Written = HTMLInputElement | HTMLTextAreaElement;
