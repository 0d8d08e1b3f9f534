import { useState } from 'preact/hooks';
import { Button, IconButton } from '../ui/controls.tsx';
import { go } from '../state/route.ts';
import { chatModel, chatModels, isWell, models } from '../state/models.ts';
import { t } from '../words/texts.ts';
import type { Conversation, ChatSettings } from './conversations/conversation.ts';
import { Icon } from '../ui/icon.tsx';
import { ModelList } from './models/lazy-list.ts';
import { Popover } from '../ui/popover.tsx';
import { numberParameters } from './settings/parameters.ts';
import { presetOf } from './settings/presets.ts';

export type Panel = 'settings' | 'code' | 'list';

interface Props {
  readonly conversation: Conversation;
  readonly onModel: (id: string) => void;
  readonly onChange: (change: (old: Conversation) => Conversation) => void;
  readonly onOpen: (panel: Panel) => void;
}

/** The model that answers this chat, one to compare it with, and their settings. */
export function Toolbar({ conversation, onModel, onChange, onOpen }: Props) {
  const { comparedModel, settings } = conversation;
  const others = chatModels.value.filter(({ id }) => id !== chatModel.value?.id);
  // Whoever begins to compare sees at once with what, and what else there is.
  const [chooses, setChooses] = useState(false);
  const compareWith = (id: string | undefined) => onChange((old) => ({ ...old, comparedModel: id }));
  return (
    <>
      <header class="toolbar">
        <span class="narrow-only">
          <IconButton
            id="open-chats"
            icon="menu"
            label={t.chat.conversations}
            onClick={() => onOpen('list')}
          />
        </span>
        <ModelPicker label={t.chat.model} value={chatModel.value?.id ?? ''} onChoose={onModel} />
        {comparedModel !== undefined && (
          <>
            <ModelPicker
              label={t.chat.compared}
              value={comparedModel}
              opens={chooses}
              onChoose={compareWith}
            />
            <IconButton icon="close" label={t.chat.compareEnd} onClick={() => compareWith(undefined)} />
          </>
        )}
        <span class="spacer" />
        <span class="narrow-only">
          <IconButton icon="compose" label={t.chat.newChat} onClick={() => go('chat')} />
        </span>
        {comparedModel === undefined && others.length > 0 && (
          <IconButton
            icon="compare"
            label={t.chat.compareWith}
            onClick={() => {
              setChooses(true);
              compareWith(others[0]?.id);
            }}
          />
        )}
        {/* Where there is little room they are in the menu of the composer only. */}
        <span class="wide-only">
          <IconButton icon="code" label={t.chat.showRequest} onClick={() => onOpen('code')} />
          <IconButton icon="settings" label={t.chat.settings} onClick={() => onOpen('settings')} />
        </span>
      </header>
      <SettingChips settings={settings} onOpen={() => onOpen('settings')} />
    </>
  );
}

interface PickerProps {
  readonly label: string;
  readonly value: string;
  /** Whether its list is open at first. */
  readonly opens?: boolean;
  readonly onChoose: (id: string) => void;
}

/** The name of a model, and the list that another one is chosen from. */
function ModelPicker({ label, value, opens = false, onChoose }: PickerProps) {
  if (models.value === undefined) return <span />;
  if (chatModels.value.length === 0) return <span class="quiet">{t.chat.noModels}</span>;
  const model = chatModels.value.find(({ id }) => id === value);
  const button = (
    <>
      {model !== undefined && !isWell(model) && <i class="dot failed" />}
      <span>{value}</span>
      <Icon name="unfold" />
    </>
  );
  return (
    <Popover label={`${label}: ${value}`} class="model-choice" button={button} opens={opens}>
      {(close) => (
        <ModelList
          value={value}
          onChoose={(id) => {
            close();
            onChoose(id);
          }}
        />
      )}
    </Popover>
  );
}

interface ChipsProps {
  readonly settings: ChatSettings;
  readonly onOpen: () => void;
}

/** A chip for each setting of this chat but its servers, which the composer has; a click on one opens the settings. */
function SettingChips({ settings, onOpen }: ChipsProps) {
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
    readsAloud && t.voice.readsAloud,
    voice !== undefined && `${t.voice.title}: ${voice}`,
  ].filter((text) => typeof text === 'string');
}
