import { IconButton } from '../ui/controls.tsx';
import { chatModel, chatModels, chooseModel } from '../state/models.ts';
import { t } from '../texts.ts';
import { ModelPicker } from './models/model-picker.tsx';
import { without, type Conversation } from './conversations/conversation.ts';
import { SettingChips } from './settings/setting-chips.tsx';

export type Panel = 'settings' | 'code' | 'list';

interface Props {
  readonly conversation: Conversation;
  readonly onChange: (change: (old: Conversation) => Conversation) => void;
  readonly onOpen: (panel: Panel) => void;
}

/** The model that answers this chat, one to compare it with, and their settings. */
export function Toolbar({ conversation, onChange, onOpen }: Props) {
  const { comparedModel, settings } = conversation;
  const others = chatModels.value.filter(({ id }) => id !== chatModel.value?.id);
  const compareWith = (id: string | undefined) =>
    onChange((old) => (id === undefined ? without(old, 'comparedModel') : { ...old, comparedModel: id }));
  return (
    <>
      <header class="toolbar">
        <span class="narrow-only">
          <IconButton icon="menu" label={t.chat.conversations} onClick={() => onOpen('list')} />
        </span>
        <ModelPicker
          label={t.chat.model}
          value={chatModel.value?.id ?? ''}
          onChoose={(model) => {
            chooseModel(model);
            onChange((old) => ({ ...old, model }));
          }}
        />
        {comparedModel !== undefined && (
          <>
            <ModelPicker label={t.chat.compared} value={comparedModel} onChoose={compareWith} />
            <IconButton icon="close" label={t.chat.compareEnd} onClick={() => compareWith(undefined)} />
          </>
        )}
        <span class="spacer" />
        {comparedModel === undefined && others.length > 0 && (
          <IconButton icon="compare" label={t.chat.compareWith} onClick={() => compareWith(others[0]?.id)} />
        )}
        <IconButton icon="code" label={t.chat.showRequest} onClick={() => onOpen('code')} />
        <IconButton icon="settings" label={t.chat.settings} onClick={() => onOpen('settings')} />
      </header>
      <SettingChips settings={settings} onOpen={() => onOpen('settings')} />
    </>
  );
}
