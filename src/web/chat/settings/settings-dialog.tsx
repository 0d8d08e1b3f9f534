import { useState } from 'preact/hooks';
import { Field } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { t } from '../texts.ts';
import type { ChatSettings } from './conversations/conversation.ts';

interface Props {
  readonly settings: ChatSettings;
  readonly onChange: (settings: ChatSettings) => void;
  readonly onClose: () => void;
}

type NumberName = 'temperature' | 'topP' | 'maxTokens' | 'seed';

const numbers: readonly { name: NumberName; min: number; max?: number; step: number }[] = [
  { name: 'temperature', min: 0, max: 2, step: 0.1 },
  { name: 'topP', min: 0, max: 1, step: 0.05 },
  { name: 'maxTokens', min: 1, step: 1 },
  { name: 'seed', min: 0, step: 1 },
];

/** What holds for this conversation. An empty field leaves the choice to the server. */
export function SettingsDialog({ settings, onChange, onClose }: Props) {
  const set = <Name extends keyof ChatSettings>(name: Name, value: ChatSettings[Name] | undefined) => {
    const { [name]: _, ...others } = settings;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <Dialog title={t.chat.settings} onClose={onClose}>
      <Field label={t.chat.system}>
        <textarea
          rows={4}
          value={settings.system ?? ''}
          onInput={({ currentTarget }) => set('system', currentTarget.value || undefined)}
        />
      </Field>
      <div class="columns">
        {numbers.map(({ name, ...range }) => (
          <Field key={name} label={t.chat[name]}>
            <input
              type="number"
              {...range}
              placeholder={t.chat.asTheServer}
              value={settings[name] ?? ''}
              onInput={({ currentTarget: { value, valueAsNumber } }) =>
                set(name, value === '' || Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
              }
            />
          </Field>
        ))}
      </div>
      <Field label={t.chat.effort}>
        <select
          value={settings.effort ?? ''}
          onChange={({ currentTarget }) =>
            set('effort', (currentTarget.value || undefined) as ChatSettings['effort'])
          }
        >
          <option value="">{t.chat.asTheServer}</option>
          {(['none', 'low', 'medium', 'high'] as const).map((effort) => (
            <option key={effort}>{effort}</option>
          ))}
        </select>
      </Field>
      <JsonField label={t.chat.schema} value={settings.schema} onChange={(text) => set('schema', text)} />
      <JsonField
        label={t.chat.tools}
        value={settings.tools}
        onChange={(text) => set('tools', text)}
        check={(value) => (Array.isArray(value) ? undefined : t.chat.toolsMustBeList)}
      />
      <div class="actions">
        <button type="button" onClick={() => onChange({})}>
          {t.chat.reset}
        </button>
      </div>
    </Dialog>
  );
}

interface JsonFieldProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (text: string | undefined) => void;
  readonly check?: (value: unknown) => string | undefined;
}

/** A field for JSON. Only text that is right is handed on; what is wrong is told below. */
function JsonField({ label, value, onChange, check }: JsonFieldProps) {
  const [text, setText] = useState(value ?? '');
  const problem = text.trim() === '' ? undefined : findProblem(text, check);
  const change = (next: string) => {
    setText(next);
    if (next.trim() === '') onChange(undefined);
    else if (findProblem(next, check) === undefined) onChange(next);
  };
  return (
    <Field label={label} hint={problem}>
      <textarea
        class="code"
        rows={4}
        spellcheck={false}
        aria-invalid={problem !== undefined}
        value={text}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    </Field>
  );
}

function findProblem(text: string, check: JsonFieldProps['check']): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return t.chat.notJson;
  }
  return check?.(value);
}
