import { useState } from 'preact/hooks';
import { importPart } from '../api/connection.ts';
import { IconButton } from '../ui/controls.tsx';
import { go } from '../state/route.ts';
import { chatModel, chatModels, isWell, models } from '../state/models.ts';
import { t } from '../words/texts.ts';
import type { Conversation } from './conversations/conversation.ts';
import { Icon } from '../ui/icon.tsx';
import { ModelList } from './models/lazy-list.ts';
import { Popover } from '../ui/overlays/popover.tsx';
import { lazyPart } from '../ui/rendering/lazy-part.tsx';

const SettingChips = lazyPart(async () => (await import('./settings/setting-chips.tsx')).SettingChips);

export type Panel = 'settings' | 'code' | 'list';

interface Props {
  readonly conversation: Conversation;
  readonly onModel: (id: string) => void;
  readonly onChange: (change: (old: Conversation) => Conversation) => void;
  readonly onOpen: (panel: Panel) => void;
}

const endComparing = async (conversation: Conversation) =>
  (await importPart(() => import('./branch-actions.ts'))).endComparing(conversation);

/** A model that thinks is the same one: comparing begins with another. */
const baseOf = (id: string): string => id.replace(/-r$/, '');

/** The model that answers this chat, one to compare it with, and their settings. */
export function Toolbar({ conversation, onModel, onChange, onOpen }: Props) {
  const { comparedModel, settings } = conversation;
  const base = baseOf(chatModel.value?.id ?? '');
  const others = chatModels.value.filter(({ id }) => id !== chatModel.value?.id);
  // Whoever begins to compare sees at once with which model, and the others.
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
            <IconButton
              icon="close"
              label={t.chat.compareEnd}
              onClick={() => void endComparing(conversation)}
            />
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
              compareWith((others.find(({ id }) => baseOf(id) !== base) ?? others[0])?.id);
            }}
          />
        )}
        {/* Where there is little room they are in the menu of the composer only. */}
        <span class="wide-only">
          <IconButton icon="code" label={t.chat.showRequest} onClick={() => onOpen('code')} />
          <IconButton icon="settings" label={t.chat.settings} onClick={() => onOpen('settings')} />
        </span>
      </header>
      {Object.keys(settings).length > 0 && (
        <SettingChips settings={settings} onOpen={() => onOpen('settings')} />
      )}
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
