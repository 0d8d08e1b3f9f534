import { useState } from 'preact/hooks';
import { Button, IconButton } from '../../ui/controls.tsx';
import { Choice, Field, Form, Input } from '../../ui/forms/fields.tsx';
import { t } from '../../words/dialog-texts.ts';
import type { ChatSettings } from '../conversations/conversation.ts';
import { keepPreset, removePreset } from './keep-presets.ts';
import { presetOf, presets } from './presets.ts';

interface Props {
  readonly settings: ChatSettings;
  readonly onChange: (settings: ChatSettings) => void;
}

/** Settings by name, to be chosen or deleted; nothing where there are none. */
export function PresetChoice({ settings, onChange }: Props) {
  const names = Object.keys(presets.value).toSorted((one, other) => one.localeCompare(other));
  const current = presetOf(settings) ?? '';
  if (names.length === 0) return null;
  return (
    <Field label={t.settings.preset}>
      <span class="with-button">
        <Choice
          label={t.settings.preset}
          value={current}
          onChange={(chosen) => onChange(presets.value[chosen] ?? {})}
          options={[['', t.settings.noPreset], ...names.map((one) => [one, one] as const)]}
        />
        {current !== '' && (
          <IconButton
            icon="trash"
            label={t.settings.removePreset(current)}
            onClick={() => removePreset(current)}
          />
        )}
      </span>
    </Field>
  );
}

/** Where the settings get a name. */
export function PresetForm({ settings }: Pick<Props, 'settings'>) {
  const [name, setName] = useState('');
  return (
    <Form
      class="presets"
      onSend={() => {
        if (name.trim() !== '') keepPreset(name.trim(), settings);
        setName('');
      }}
    >
      <Field label={t.settings.keepAs}>
        <span class="with-button">
          <Input maxlength={60} placeholder={t.settings.presetName} value={name} onChange={setName} />
          <Button
            type="submit"
            disabled={name.trim() === '' || Object.keys(settings).length === 0}
            text={t.settings.keep}
          />
        </span>
      </Field>
    </Form>
  );
}
