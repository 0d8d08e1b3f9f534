import { useState } from 'preact/hooks';
import type { ModelSettings, ModelStatus } from '../api/types.ts';
import { numberParameters } from '../chat/settings/parameters.ts';
import { asAdmin } from '../state/session.ts';
import { useAdmin } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Progress } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Input } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';

type Name = keyof ModelSettings['settings'];

interface Props {
  readonly status: ModelStatus;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** What the configuration file says of a model, to be changed. */
export function ModelSettingsDialog(props: Props) {
  const { id } = props.status;
  const path = `models/${encodeURIComponent(id)}/settings`;
  const now = useAdmin<ModelSettings>(path);
  if (now.value !== undefined) return <SettingsForm {...props} path={path} now={now.value} />;
  return (
    <Dialog title={t.models.settings.open(id)} onClose={props.onClose}>
      <Progress of={now} />
    </Dialog>
  );
}

const textOf = (value: ModelSettings['settings'][Name]): string => [value ?? []].flat().join('\n');

/** As the file has it. */
function toValue(name: Name, text: string): unknown {
  if (text.trim() === '') return null;
  if (name === 'stop') return text.split('\n').filter((line) => line !== '');
  return name === 'system' || Number.isNaN(Number(text)) ? text : Number(text);
}

const isLong = (name: Name): boolean => name === 'stop' || name === 'system';

type FormProps = Props & { readonly path: string; readonly now: ModelSettings };

function SettingsForm({
  status: { id, kind, addresses, path: file, context_window: window },
  path,
  now,
  onClose,
  onSaved,
}: FormProps) {
  const names: readonly Name[] = [
    'context',
    ...(addresses === null ? (['gpuLayers', 'keepAlive'] as const) : []),
    ...(kind === 'chat' ? (['temperature', 'top_p', 'stop', 'system'] as const) : []),
  ];
  const [texts, setTexts] = useState(() => new Map(names.map((name) => [name, textOf(now.settings[name])])));
  const field = (name: Name) => {
    const [label, hint] = t.models.settings.fields[name];
    const known = numberParameters.find(({ wire }) => wire === name)?.byDefault;
    const byDefault =
      name === 'gpuLayers' || name === 'keepAlive' ? now.defaults[name] : name === 'context' ? window : known;
    const value = texts.get(name) ?? '';
    const set = (text: string) => setTexts(new Map([...texts, [name, text]]));
    return (
      <Field key={name} label={label} hint={hint}>
        {isLong(name) ? (
          <textarea
            name={name}
            rows={3}
            value={value}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        ) : (
          <Input
            name={name}
            placeholder={byDefault == null ? t.models.settings.asFits : String(byDefault)}
            value={value}
            onChange={set}
          />
        )}
      </Field>
    );
  };
  const save = async () => {
    const changed = names.filter((name) => texts.get(name) !== textOf(now.settings[name]));
    const body = Object.fromEntries(changed.map((name) => [name, toValue(name, texts.get(name) ?? '')]));
    await asAdmin(path, { method: 'PATCH', body });
    onSaved();
  };
  return (
    <FormDialog
      title={t.models.settings.open(id)}
      action={t.models.settings.save}
      work={save}
      onClose={onClose}
    >
      {file !== null && <code class="path">{file}</code>}
      <p class="quiet">{t.models.settings.kept(now.file)}</p>
      <div class="columns">{names.filter((name) => !isLong(name)).map(field)}</div>
      {names.filter(isLong).map(field)}
    </FormDialog>
  );
}
