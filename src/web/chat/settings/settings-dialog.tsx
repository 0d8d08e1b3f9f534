import { Button } from '../../ui/controls.tsx';
import { Check, ChoiceField, Field } from '../../ui/forms/fields.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { Fold } from '../../ui/fold.tsx';
import { t } from '../../words/dialog-texts.ts';
import { ServerItems } from '../composer/server-items.tsx';
import type { ChatSettings } from '../conversations/conversation.ts';
import { CheckedField } from './checked-field.tsx';
import { defaultOf } from './default-of.ts';
import { isInRange, numberParameters } from './parameters.ts';
import { keepForAll } from './keep-presets.ts';
import { areSame, settingsForAll } from './presets.ts';
import { PresetChoice, PresetForm } from './preset-tools.tsx';
import '../../ui/forms/fields.css';
import '../../ui/media/slider.css';
import './settings.css';
import { parsed } from '../../state/stored.ts';
import { chatModel, voiceModels } from '../../state/models.ts';
import { toWish } from '../../voice/reading/reading.ts';
import { VoiceChoice, VoiceModelChoice } from '../../voice/voice-choice.tsx';

interface Props {
  readonly settings: ChatSettings;
  readonly onChange: (settings: ChatSettings) => void;
  readonly onClose: () => void;
}

const efforts = ['none', 'low', 'medium', 'high'] as const;

/** So many stand first; who sets the others knows what they are. */
const mainNumbers = 2;
const rareNumbers = numberParameters.slice(mainNumbers);
const rareTexts = ['stop', 'schema', 'tools', 'logitBias'] as const;

/** The settings of this chat. An empty field leaves the choice to the server. */
export function SettingsDialog({ settings, onChange, onClose }: Props) {
  const set = <Name extends keyof ChatSettings>(name: Name, value: ChatSettings[Name] | undefined) => {
    const { [name]: _, ...others } = settings;
    onChange(value === undefined ? others : { ...others, [name]: value });
  };
  return (
    <Dialog
      title={t.settings.title}
      onClose={onClose}
      actions={<EndOfSettings settings={settings} onChange={onChange} onClose={onClose} />}
    >
      <p class="quiet">{t.settings.lead}</p>
      <div class="settings">
        <PresetChoice settings={settings} onChange={onChange} />
        <Field label={t.settings.system}>
          <textarea
            rows={4}
            dir="auto"
            placeholder={t.settings.systemExample}
            value={settings.system ?? ''}
            onInput={({ currentTarget }) => set('system', currentTarget.value || undefined)}
          />
        </Field>
        <div class="columns">
          <Numbers of={numberParameters.slice(0, mainNumbers)} settings={settings} set={set} />
          <div class="ranged">
            <ChoiceField
              label={t.settings.effort}
              value={settings.effort ?? ''}
              onChange={(effort) => set('effort', effort || undefined)}
              options={[['', t.settings.effortByDefault], ...efforts.map((one) => [one, one] as const)]}
            />
          </div>
        </div>
        <Fold
          title={t.settings.sampling}
          isOpen={rareNumbers.some(({ name }) => settings[name] !== undefined)}
        >
          <div class="columns">
            <Numbers of={rareNumbers} settings={settings} set={set} />
          </div>
        </Fold>
        <ServerItems settings={settings} onSettings={onChange} withTools />
        <VoiceSettings settings={settings} set={set} />
        <Fold title={t.settings.format} isOpen={rareTexts.some((name) => settings[name] !== undefined)}>
          <TextSettings settings={settings} set={set} />
        </Fold>
        <PresetForm settings={settings} />
      </div>
    </Dialog>
  );
}

/** The ways out: back to nothing, as the beginning of all chats, or done. */
function EndOfSettings({ settings, onChange, onClose }: Props) {
  const isForAll = areSame(settings, settingsForAll.value);
  const isEmpty = Object.keys(settings).length === 0;
  return (
    <>
      <Button disabled={isEmpty} text={t.settings.reset} onClick={() => onChange({})} />
      <Button
        disabled={isForAll}
        text={isForAll && !isEmpty ? t.settings.isForAll : t.settings.forAll}
        onClick={({ currentTarget }) => isAllRight(currentTarget) && keepForAll(settings)}
      />
      <Button
        class="primary"
        text={t.shell.done}
        onClick={({ currentTarget }) => isAllRight(currentTarget) && onClose()}
      />
    </>
  );
}

/** Whether no field beside `button` is wrong, which would not be used, without a word; else the first is shown. */
function isAllRight(button: HTMLElement): boolean {
  const wrong = button.closest('dialog')?.querySelector<HTMLElement>('[aria-invalid="true"]');
  const fold = wrong?.closest('details');
  if (fold) fold.open = true;
  wrong?.focus();
  return !wrong;
}

interface PartProps {
  readonly settings: ChatSettings;
  readonly set: <Name extends keyof ChatSettings>(name: Name, value: ChatSettings[Name] | undefined) => void;
}

/** Numbers with their defaults and ranges. One out of its range is told at once, and is not used. */
const Numbers = ({ of: shown, settings, set }: PartProps & { of: typeof numberParameters }) => (
  <>
    {shown.map((parameter) => {
      const { name, min, max, step, byDefault } = parameter;
      const range = t.settings.range(min, max);
      const usual = defaultOf(parameter, chatModel.value);
      return (
        <div key={name} class="ranged">
          <CheckedField
            label={t.settings[name]}
            hint={t.settings.hints[name]}
            value={settings[name] === undefined ? undefined : String(settings[name])}
            onChange={(text) => set(name, text === undefined ? undefined : Number(text))}
            problemOf={(text) =>
              isInRange(parameter, text === '' ? Number.NaN : Number(text))
                ? undefined
                : t.settings.mustBe(range)
            }
            type="number"
            min={min}
            max={max}
            step={step}
            placeholder={
              usual === undefined ? (t.settings.byDefault[name] ?? t.settings.ofItsServer) : String(usual)
            }
          />
          {/* For pointers and fingers; the keyboard has the field. */}
          {max !== undefined && byDefault !== undefined && (
            <input
              type="range"
              class={settings[name] === undefined ? 'slider unset' : 'slider'}
              tabindex={-1}
              aria-hidden="true"
              min={min}
              max={max}
              step={step}
              value={settings[name] ?? usual ?? byDefault}
              style={{ '--share': ((settings[name] ?? usual ?? byDefault) - min) / (max - min) }}
              onInput={({ currentTarget }) => set(name, Number(currentTarget.value))}
            />
          )}
        </div>
      );
    })}
  </>
);

/** Those of several lines, which are checked as they are typed. */
const TextSettings = ({ settings, set }: PartProps) => (
  <>
    {rareTexts.map((name) => (
      <CheckedField
        key={name}
        label={t.settings[name]}
        value={settings[name]}
        onChange={(text) => set(name, text)}
        problemOf={textProblems[name]}
        rows={name === 'stop' ? 2 : 3}
        class={name === 'stop' ? undefined : 'code'}
      />
    ))}
  </>
);

/** Why a text cannot be used; undefined: it can. */
const textProblems: Readonly<Record<(typeof rareTexts)[number], (text: string) => string | undefined>> = {
  stop: (text) => (text.split('\n').length > 16 ? t.settings.tooManyStops : undefined),
  schema: (text) => toJsonProblem(text, 'object'),
  tools: (text) => toJsonProblem(text, 'list'),
  logitBias: (text) => toJsonProblem(text, 'object'),
};

/** Why `text` is no JSON of that kind; undefined: it is. */
function toJsonProblem(text: string, kind: 'object' | 'list'): string | undefined {
  const value = parsed<unknown>(text, undefined);
  if (value === undefined) return t.settings.notJson;
  const isList = Array.isArray(value);
  if (kind === 'list') return isList ? undefined : t.settings.notList;
  return typeof value === 'object' && value !== null && !isList ? undefined : t.settings.notObject;
}

/** Whether and by whom answers are read; nothing where no model speaks. */
function VoiceSettings({ settings, set }: PartProps) {
  if (voiceModels.value.length === 0) return null;
  return (
    <fieldset>
      <legend>{t.settings.voice}</legend>
      <Check
        label={t.settings.readsAloud}
        isOn={settings.readsAloud === true}
        onChange={(isOn) => set('readsAloud', isOn || undefined)}
      />
      <div class="columns">
        <VoiceModelChoice
          value={toWish(settings).model}
          onChange={(model) => set('voiceModel', model === voiceModels.value[0]?.id ? undefined : model)}
        />
        <VoiceChoice value={settings.voice} onChange={(voice) => set('voice', voice)} />
      </div>
    </fieldset>
  );
}
