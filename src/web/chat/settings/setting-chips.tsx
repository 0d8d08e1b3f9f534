import { t } from '../../texts.ts';
import type { ChatSettings } from '../conversations/conversation.ts';
import { numberParameters } from './parameters.ts';
import { presetOf } from './presets.ts';

interface Props {
  readonly settings: ChatSettings;
  readonly onOpen: () => void;
}

/** A chip for each setting of this chat; a click on one opens the settings. */
export function SettingChips({ settings, onOpen }: Props) {
  const texts = describe(settings);
  if (texts.length === 0) return null;
  return (
    <div class="setting-chips">
      {texts.map((text) => (
        <button key={text} type="button" class="setting-chip" title={t.settings.title} onClick={onOpen}>
          {text}
        </button>
      ))}
    </div>
  );
}

function describe(settings: ChatSettings): string[] {
  const { system, effort, schema, tools, servers = [], stop, logitBias, readsAloud, voice } = settings;
  const preset = presetOf(settings);
  return [
    ...(preset === undefined ? [] : [preset]),
    ...(system === undefined ? [] : [`${t.settings.system}: ${system}`]),
    ...numberParameters.flatMap(({ name }) =>
      settings[name] === undefined ? [] : [`${t.settings[name]} ${settings[name]}`],
    ),
    ...(effort === undefined ? [] : [`${t.settings.effort}: ${effort}`]),
    ...(schema === undefined ? [] : [t.settings.chips.schema]),
    ...(tools === undefined ? [] : [t.settings.chips.tools((JSON.parse(tools) as unknown[]).length)]),
    ...servers,
    ...(stop === undefined ? [] : [t.settings.chips.stop]),
    ...(logitBias === undefined ? [] : [t.settings.chips.logitBias]),
    ...(readsAloud === undefined ? [] : [t.voice.readsAloud]),
    ...(voice === undefined ? [] : [`${t.voice.title}: ${voice}`]),
  ];
}
