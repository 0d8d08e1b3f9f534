import { Field } from '../../ui/controls.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { t } from '../../texts.ts';
import { ServerItems } from '../composer/server-items.tsx';
import type { ChatSettings } from '../conversations/conversation.ts';
import { CheckedArea, toJsonProblem } from './checked-area.tsx';
import { NumberField } from './number-field.tsx';
import { numberParameters } from './parameters.ts';
import { areSame, keepForAll, settingsForAll } from './presets.ts';
import { PresetTools } from './preset-tools.tsx';
import { voiceModels } from '../../state/models.ts';
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
    <Dialog title={t.settings.title} onClose={onClose}>
      <p class="quiet">{t.settings.lead}</p>
      <PresetTools settings={settings} onChange={onChange} />
      <Field label={t.settings.system}>
        <textarea
          rows={4}
          dir="auto"
          value={settings.system ?? ''}
          onInput={({ currentTarget }) => set('system', currentTarget.value || undefined)}
        />
      </Field>
      <div class="columns">
        <Numbers of={numberParameters.slice(0, mainNumbers)} settings={settings} set={set} />
        <Field label={t.settings.effort}>
          <select
            value={settings.effort ?? ''}
            onChange={({ currentTarget }) =>
              set('effort', (currentTarget.value || undefined) as ChatSettings['effort'])
            }
          >
            <option value="">{t.settings.effortByDefault}</option>
            {efforts.map((effort) => (
              <option key={effort}>{effort}</option>
            ))}
          </select>
        </Field>
      </div>
      <details open={rareNumbers.some(({ name }) => settings[name] !== undefined)}>
        <summary>{t.settings.sampling}</summary>
        <div class="columns">
          <Numbers of={rareNumbers} settings={settings} set={set} />
        </div>
      </details>
      <ServerItems settings={settings} onSettings={onChange} />
      <VoiceSettings settings={settings} set={set} />
      <details open={rareTexts.some((name) => settings[name] !== undefined)}>
        <summary>{t.settings.format}</summary>
        <TextSettings settings={settings} set={set} />
      </details>
      <EndOfSettings settings={settings} onChange={onChange} onClose={onClose} />
    </Dialog>
  );
}

/** The ways out: back to nothing, as the beginning of all chats, or done. */
function EndOfSettings({ settings, onChange, onClose }: Props) {
  const isForAll = areSame(settings, settingsForAll.value);
  return (
    <div class="actions">
      <button type="button" disabled={Object.keys(settings).length === 0} onClick={() => onChange({})}>
        {t.settings.reset}
      </button>
      <button type="button" disabled={isForAll} onClick={() => keepForAll(settings)}>
        {isForAll && Object.keys(settings).length > 0 ? t.settings.isForAll : t.settings.forAll}
      </button>
      <button
        type="button"
        class="primary"
        onClick={({ currentTarget }) => {
          // What is wrong would not be used, without a word.
          const wrong = currentTarget.closest('dialog')?.querySelector<HTMLElement>('[aria-invalid="true"]');
          if (wrong) wrong.focus();
          else onClose();
        }}
      >
        {t.shell.done}
      </button>
    </div>
  );
}

interface PartProps {
  readonly settings: ChatSettings;
  readonly set: <Name extends keyof ChatSettings>(name: Name, value: ChatSettings[Name] | undefined) => void;
}

const Numbers = ({ of: shown, settings, set }: PartProps & { of: typeof numberParameters }) => (
  <>
    {shown.map((parameter) => (
      <NumberField
        key={parameter.name}
        parameter={parameter}
        value={settings[parameter.name]}
        onChange={(value) => set(parameter.name, value)}
      />
    ))}
  </>
);

/** Those of several lines, which are checked as they are typed. */
function TextSettings({ settings, set }: PartProps) {
  return (
    <>
      <CheckedArea
        label={t.settings.stop}
        value={settings.stop}
        onChange={(text) => set('stop', text)}
        check={(text) => (text.split('\n').length > 16 ? t.settings.tooManyStops : undefined)}
      />
      <CheckedArea
        label={t.settings.schema}
        value={settings.schema}
        onChange={(text) => set('schema', text)}
        check={(text) => toJsonProblem(text, 'object')}
        isCode
      />
      <CheckedArea
        label={t.settings.tools}
        value={settings.tools}
        onChange={(text) => set('tools', text)}
        check={(text) => toJsonProblem(text, 'list')}
        isCode
      />
      <CheckedArea
        label={t.settings.logitBias}
        value={settings.logitBias}
        onChange={(text) => set('logitBias', text)}
        check={(text) => toJsonProblem(text, 'object')}
        isCode
      />
    </>
  );
}

/** Whether and by whom answers are read; nothing where no model speaks. */
function VoiceSettings({ settings, set }: PartProps) {
  if (voiceModels.value.length === 0) return null;
  return (
    <fieldset>
      <legend>{t.voice.title}</legend>
      <label class="check">
        <input
          type="checkbox"
          checked={settings.readsAloud === true}
          onChange={({ currentTarget }) => set('readsAloud', currentTarget.checked || undefined)}
        />
        {t.voice.readsAloud}
      </label>
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
