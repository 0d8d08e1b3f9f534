import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { mostContextTokens, mostGpuLayers } from '../../bounds.ts';
import { toDurationMs } from '../../config/values/duration.ts';
import type { ModelDetails, ModelSettings, ModelStatus } from '../api/types.ts';
import { isInRange, numberParameters } from '../chat/settings/parameters.ts';
import { asAdmin } from '../state/session.ts';
import { useAdmin } from '../state/asked.ts';
import { toDuration } from '../limits/amounts.ts';
import { t } from '../words/operator-texts.ts';
import { Progress } from '../ui/progress.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { Field, Input } from '../ui/forms/fields.tsx';
import { FormDialog } from '../ui/forms/form-dialog.tsx';

type Name = keyof ModelSettings['settings'];

interface Props {
  readonly status: ModelStatus;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** The settings of a model in the configuration file, to be changed. */
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
  if (name === 'system') return text;
  const amount = amountOf(text);
  if (!Number.isNaN(amount)) return amount;
  return name === 'keepAlive' ? toKeepAlive(text) : text;
}

/** As the server takes it, also a time that is written in several units. */
const toKeepAlive = (text: string) => (toDurationMs(text) === undefined ? toDuration(text) : text);

const amountOf = (text: string): number => Number(text.replaceAll(',', ''));

/** Of settings that are numbers and nothing else. */
const examples: Partial<Record<Name, string>> = { temperature: '0.7', top_p: '0.9' };

/** The server takes no more. */
const greatest: Partial<Record<Name, number>> = { context: mostContextTokens, gpuLayers: mostGpuLayers };

const isWhole = (amount: number, least: number) => Number.isInteger(amount) && amount >= least;

/** Why the text of a setting cannot be saved; '': nothing speaks against it before the server has seen it. */
function problemOf(name: Name, text: string): string {
  if (text.trim() === '') return '';
  const amount = amountOf(text);
  const example = examples[name];
  if (example !== undefined && Number.isNaN(amount)) return t.models.settings.number(example);
  if (name === 'context' && !isWhole(amount, 1)) return t.models.settings.whole;
  if (name === 'gpuLayers' && !isWhole(amount, 0) && text !== 'auto') return t.models.settings.auto;
  const most = greatest[name] ?? Infinity;
  if (amount > most) return t.plans.wrong.most(most.toLocaleString('en'));
  if (name === 'keepAlive' && toDurationMs(toKeepAlive(text)) === undefined)
    return t.models.settings.duration;
  const range = numberParameters.find(({ wire }) => wire === name);
  const isRight = range === undefined || isInRange(range, amount);
  return isRight ? '' : t.models.settings.range(range.min, range.max);
}

const isLong = (name: Name): boolean => name === 'stop' || name === 'system';

type FormProps = Props & { readonly path: string; readonly now: ModelSettings };

function SettingsForm({
  status: { id, kind, addresses, memory, path: file, context_window: window },
  path,
  now,
  onClose,
  onSaved,
}: FormProps) {
  const isHere = addresses === null;
  const loading: readonly Name[] = ['context', ...(isHere ? (['gpuLayers', 'keepAlive'] as const) : [])];
  const answers: readonly Name[] = kind === 'chat' ? ['temperature', 'top_p', 'stop', 'system'] : [];
  const names = [...loading, ...answers];
  const [texts, setTexts] = useState(() => new Map(names.map((name) => [name, textOf(now.settings[name])])));
  const trained = useAdmin<ModelDetails>(`models/${encodeURIComponent(id)}`).value?.trained_context ?? 0;
  const isLonger = trained > 0 && Number(texts.get('context')) > trained;
  const ofElsewhere = isHere ? undefined : t.models.settings.ofItsServer;
  const ofContext = isLonger ? t.models.settings.trainedFor(trained) : ofElsewhere;
  const field = (name: Name) => (
    <SettingField
      key={name}
      name={name}
      placeholder={String(usualOf(name, now, memory && window) ?? t.models.settings.asFits)}
      hint={name === 'context' ? ofContext : undefined}
      value={texts.get(name) ?? ''}
      onChange={(text) => setTexts(new Map([...texts, [name, text]]))}
    />
  );
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
      <p class="quiet">{t.models.settings.kept}</p>
      <fieldset>
        <legend>{isHere ? t.models.settings.loading : t.models.settings.atItsServer}</legend>
        <div class="columns">{loading.map(field)}</div>
      </fieldset>
      {answers.length > 0 && (
        <fieldset>
          <legend>{t.models.settings.answers}</legend>
          <div class="columns">{answers.filter((name) => !isLong(name)).map(field)}</div>
        </fieldset>
      )}
      {answers.filter(isLong).map(field)}
      <p class="facts">{t.models.settings.file(now.file)}</p>
      {file !== null && <p class="facts path">{t.models.settings.of(file)}</p>}
    </FormDialog>
  );
}

/** The value of a setting that the file does not have. */
function usualOf(name: Name, { defaults }: ModelSettings, window: number | null) {
  if (name === 'gpuLayers' || name === 'keepAlive') return defaults[name];
  return name === 'context' ? window : numberParameters.find(({ wire }) => wire === name)?.byDefault;
}

interface FieldProps {
  readonly name: Name;
  readonly placeholder: string;
  /** In the place of the usual one. */
  readonly hint: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function SettingField({ name, placeholder, hint, value, onChange }: FieldProps) {
  const [label, usualHint] = t.models.settings.fields[name];
  const problem = problemOf(name, value);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.setCustomValidity(problem), [problem]);
  return (
    <Field label={label} hint={hint ?? usualHint}>
      {isLong(name) ? (
        <textarea
          name={name}
          rows={3}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <Input ref={field} name={name} placeholder={placeholder} value={value} onChange={onChange} />
      )}
    </Field>
  );
}
