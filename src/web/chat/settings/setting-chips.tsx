import { t } from '../../words/dialog-texts.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import type { ChatSettings } from '../conversations/conversation.ts';
import { withToolsOf } from '../composer/server-items.tsx';
import { numberParameters } from './parameters.ts';
import { presetOf } from './presets.ts';
import './setting-chips.css';

interface Props {
  readonly settings: ChatSettings;
  readonly onOpen: () => void;
}

/** A chip for each setting of this chat but its servers, which the composer has; a click on one opens the settings. */
export function SettingChips({ settings, onOpen }: Props) {
  const texts = describe(settings);
  if (texts.length === 0) return null;
  return (
    <div class="setting-chips">
      {texts.map((text) => (
        <Button key={text} class="setting-chip" title={t.settings.title} text={text} onClick={onOpen} />
      ))}
    </div>
  );
}

function describe(settings: ChatSettings): string[] {
  const { system, effort, schema, tools, stop, logitBias, readsAloud, voice } = settings;
  return [
    presetOf(settings),
    system !== undefined && `${t.settings.system}: ${system}`,
    ...numberParameters.map(
      ({ name }) => settings[name] !== undefined && `${t.settings[name]} ${settings[name]}`,
    ),
    effort !== undefined && `${t.settings.effort}: ${effort}`,
    schema !== undefined && t.settings.chips.schema,
    tools !== undefined && t.settings.chips.tools((JSON.parse(tools) as unknown[]).length),
    stop !== undefined && t.settings.chips.stop,
    logitBias !== undefined && t.settings.chips.logitBias,
    readsAloud && t.settings.readsAloud,
    voice !== undefined && `${t.settings.voice}: ${voice}`,
  ].filter((text) => typeof text === 'string');
}

interface ServerProps {
  readonly settings: ChatSettings;
  readonly onSettings: (settings: ChatSettings) => void;
  readonly onOpen: (panel: 'settings') => void;
}

/** The servers whose tools the model may call; a click on one opens the settings. */
export const ServerChips = ({ settings, onSettings, onOpen }: ServerProps) => (
  <>
    {settings.servers?.map((label) => (
      <span key={label} class="server-chip">
        <Button
          class="setting-chip"
          title={t.settings.title}
          text={t.settings.chips.server(label, settings.serverTools?.[label])}
          onClick={() => onOpen('settings')}
        />
        <IconButton
          icon="close"
          label={t.settings.chips.noServer(label)}
          onClick={() => onSettings(withToolsOf(settings, { server_label: label, tools: [] }, []))}
        />
      </span>
    ))}
  </>
);
