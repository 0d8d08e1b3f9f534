import { useEffect, useState } from 'preact/hooks';
import { t } from '../../texts.ts';
import { CheckedField } from '../../ui/controls.tsx';

interface Props {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
  /** A message about a text that is not valid; undefined: it is valid. */
  readonly check: (text: string) => string | undefined;
  readonly isCode?: boolean;
}

/** A text of several lines. Only one that is right is handed on; what is wrong is told below. */
export function CheckedArea({ label, value, onChange, check, isCode = false }: Props) {
  const [text, setText] = useState(value ?? '');
  const problemOf = (next: string) => (next.trim() === '' ? undefined : check(next));
  const problem = problemOf(text);
  useEffect(() => {
    if (value !== undefined || problem === undefined) setText(value ?? '');
  }, [value]);
  return (
    <CheckedField label={label} problem={problem}>
      <textarea
        class={isCode ? 'code' : undefined}
        rows={isCode ? 3 : 2}
        spellcheck={false}
        aria-invalid={problem !== undefined}
        value={text}
        onInput={({ currentTarget: { value: next } }) => {
          setText(next);
          onChange(next.trim() === '' || problemOf(next) !== undefined ? undefined : next);
        }}
      />
    </CheckedField>
  );
}

/** Why `text` is no JSON of that kind; undefined: it is. */
export function toJsonProblem(text: string, kind: 'object' | 'list'): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isList = Array.isArray(value);
    if (kind === 'list') return isList ? undefined : t.settings.notList;
    return typeof value === 'object' && value !== null && !isList ? undefined : t.settings.notObject;
  } catch {
    return t.settings.notJson;
  }
}
