import type { ChatSettings } from '../chat/conversations/conversation.ts';
import { voiceModels } from '../state/models.ts';
import { t } from '../texts.ts';
import { toWish } from './reading/reading.ts';
import { VoiceChoice, VoiceModelChoice } from './voice-choice.tsx';

interface Props {
  readonly settings: ChatSettings;
  readonly set: <Name extends keyof ChatSettings>(name: Name, value: ChatSettings[Name] | undefined) => void;
}

/** Whether and by whom answers are read; nothing where no model speaks. */
export function VoiceSettings({ settings, set }: Props) {
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
