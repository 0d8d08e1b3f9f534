import { useEffect, useState } from 'preact/hooks';
import { IconButton } from '../ui/controls.tsx';
import { chatModel, chatModels, chooseModel, loadModels, models } from '../state/models.ts';
import { go, routeParts } from '../state/route.ts';
import { t } from '../texts.ts';
import { CodeDialog } from './code-dialog.tsx';
import { keepAttachments, type NewAttachment } from './composer/attachments.ts';
import { Composer } from './composer/composer.tsx';
import { ConversationList } from './conversations/conversation-list.tsx';
import { append, newConversation, newId, type Conversation } from './conversations/conversation.ts';
import { answer, liveAnswers } from './answer.ts';
import { SettingsDialog } from './settings-dialog.tsx';
import {
  conversations,
  findConversation,
  loadConversations,
  putConversation,
} from './conversations/store.ts';
import { Thread } from './messages/thread.tsx';

type Panel = 'settings' | 'code' | 'list';

/** One conversation, the list of all, and what is set for them. */
export function ChatView() {
  const [panel, setPanel] = useState<Panel>();
  useEffect(() => {
    void loadConversations();
    void loadModels().catch(() => undefined);
  }, []);
  const id = routeParts.value[1] ?? '';
  // Read, so that a change of the list shows.
  const stored = conversations.value.length > 0 ? findConversation(id) : undefined;
  const [unsaved, setUnsaved] = useState(newConversation);
  const conversation = stored ?? unsaved;
  const live = liveAnswers.value.find(({ conversationId }) => conversationId === conversation.id);

  const change = (next: Conversation) => {
    if (stored === undefined) setUnsaved(next);
    else putConversation(next);
  };
  const send = async (text: string, files: readonly NewAttachment[]) => {
    // A message may come before the list of models.
    if (models.value === undefined) await loadModels().catch(() => undefined);
    const model = chatModel.value;
    if (model === undefined) return false;
    const attachments = await keepAttachments(files);
    const { leafId: parentId } = conversation;
    const message = { id: newId(), parentId, role: 'user' as const, content: text, attachments };
    putConversation(append(conversation, message));
    if (stored === undefined) {
      setUnsaved(newConversation(conversation.settings));
      go('chat', conversation.id);
    }
    void answer(conversation.id, model.id);
    return true;
  };

  return (
    <div class="chat">
      <ConversationList
        currentId={conversation.id}
        open={panel === 'list'}
        onClose={() => setPanel(undefined)}
      />
      <section
        class={conversation.leafId === null ? 'conversation empty' : 'conversation'}
        aria-label={conversation.title || t.chat.untitled}
      >
        <Toolbar onOpen={setPanel} />
        <Thread conversation={conversation} live={live} />
        <Composer live={live} onSend={send} />
      </section>
      {panel === 'settings' && (
        <SettingsDialog
          settings={conversation.settings}
          onChange={(settings) => change({ ...conversation, settings })}
          onClose={() => setPanel(undefined)}
        />
      )}
      {panel === 'code' && <CodeDialog conversation={conversation} onClose={() => setPanel(undefined)} />}
    </div>
  );
}

function Toolbar({ onOpen }: { onOpen: (panel: Panel) => void }) {
  return (
    <header class="toolbar">
      <span class="narrow-only">
        <IconButton icon="menu" label={t.chat.conversations} onClick={() => onOpen('list')} />
      </span>
      <ModelChoice />
      <span class="spacer" />
      <IconButton icon="code" label={t.chat.showRequest} onClick={() => onOpen('code')} />
      <IconButton icon="settings" label={t.chat.settings} onClick={() => onOpen('settings')} />
    </header>
  );
}

function ModelChoice() {
  if (chatModels.value.length === 0) return <span class="quiet">{t.chat.noModels}</span>;
  return (
    <select
      class="model-choice"
      aria-label={t.chat.model}
      value={chatModel.value?.id ?? ''}
      onChange={({ currentTarget }) => chooseModel(currentTarget.value)}
    >
      {chatModels.value.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  );
}
