import { importPart } from '../api/connection.ts';
import { IconButton } from '../ui/controls.tsx';
import { go } from '../state/route.ts';
import { chatModel, chatModels, isWell, models } from '../state/models.ts';
import { t } from '../words/texts.ts';
import { writeOn } from './composer/keyboard.ts';
import type { Conversation } from './conversations/conversation.ts';
import { Icon } from '../ui/icon.tsx';
import { ModelPopover } from './models/model-popover.tsx';
import { lazyPart } from '../ui/rendering/lazy-part.tsx';

const SettingChips = lazyPart(async () => (await import('./settings/setting-chips.tsx')).SettingChips);

export type Panel = 'settings' | 'code' | 'list';

interface Props {
  readonly conversation: Conversation;
  readonly onModel: (id: string) => void;
  readonly onChange: (change: (old: Conversation) => Conversation) => void;
  readonly onOpen: (panel: Panel) => void;
}

async function endComparing(conversation: Conversation): Promise<void> {
  const part = await importPart(() => import('./branch-actions.ts'));
  part.endComparing(conversation);
  writeOn();
}

/** The model that answers this chat, one to compare it with, and their settings. */
export function Toolbar({ conversation, onModel, onChange, onOpen }: Props) {
  const { comparedModel, settings } = conversation;
  const own = chatModel.value?.id ?? '';
  const compareWith = (id: string | undefined) => onChange((old) => ({ ...old, comparedModel: id }));
  return (
    <>
      <header class={comparedModel === undefined ? 'toolbar' : 'toolbar of-two'}>
        <span class="narrow-only">
          <IconButton
            id="open-chats"
            icon="menu"
            label={t.chat.conversations}
            onClick={() => onOpen('list')}
          />
        </span>
        <ModelPicker label={t.chat.model} value={own} without={comparedModel} onChoose={onModel} />
        {comparedModel !== undefined && (
          <>
            <ModelPicker label={t.chat.compared} value={comparedModel} without={own} onChoose={compareWith} />
            <IconButton
              icon="close"
              label={t.chat.compareEnd}
              onClick={() => void endComparing(conversation)}
            />
          </>
        )}
        <span class="spacer" />
        {comparedModel === undefined && chatModels.value.length > 1 && (
          <span>
            <ModelPopover
              label={t.chat.compareWith}
              buttonClass="icon-button"
              button={<Icon name="compare" />}
              without={[own]}
              onChoose={compareWith}
            />
          </span>
        )}
        <span class="narrow-only">
          <IconButton icon="compose" label={t.chat.newChat} onClick={() => go('chat')} />
        </span>
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
  /** Left out of the list: the other one of two. */
  readonly without: string | undefined;
  readonly onChoose: (id: string) => void;
}

/** The name of a model, and the list that another one is chosen from. */
function ModelPicker({ label, value, without, onChoose }: PickerProps) {
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
    <ModelPopover
      label={`${label}: ${value}`}
      button={button}
      value={value}
      without={[without]}
      onChoose={onChoose}
    />
  );
}
