import { lazy, Suspense } from 'preact/compat';
import { useEffect, useState } from 'preact/hooks';
import { importPart } from '../api/connection.ts';
import { chatModel, chooseModel, lastChosenModel, loadModels, models, voiceModels } from '../state/models.ts';
import { isKept } from '../state/kept-on-server.ts';
import { go, routeParts } from '../state/route.ts';
import { t } from '../texts.ts';
import { answer, followBegunAnswers, liveIn } from './answers/answer.ts';
import { keepAttachments, type NewAttachment } from './composer/attachments.ts';
import { Composer } from './composer/composer.tsx';
import { ConversationList } from './conversations/conversation-list.tsx';
import { append, newConversation, newId, without, type Conversation } from './conversations/conversation.ts';
import {
  areLoaded,
  changeConversation,
  findConversation,
  loadConversations,
  putConversation,
  isStorageFull,
} from './conversations/store.ts';
import { Thread } from './messages/thread.tsx';
import { keepUnsent, newChat } from './new-chat.ts';
import { settingsForAll } from './settings/presets.ts';
import { Toolbar, type Panel } from './toolbar.tsx';
import { saveConversations } from './conversations/save-conversations.ts';

const SettingsDialog = lazy(async () => ({
  default: (await importPart(() => import('./settings/settings-dialog.tsx'))).SettingsDialog,
}));
const VoiceBar = lazy(async () => ({
  default: (await importPart(() => import('../voice/voice-bar.tsx'))).VoiceBar,
}));
const CodeDialog = lazy(async () => ({
  default: (await importPart(() => import('./code/code-dialog.tsx'))).CodeDialog,
}));

/** One conversation, the list of all, and what is set for them. */
export function ChatView() {
  const [panel, setPanel] = useState<Panel>();
  useEffect(() => {
    void loadModels().catch(() => undefined);
    void loadConversations();
    return followBegunAnswers();
  }, []);
  useServerCopies();
  const id = routeParts.value[1] ?? '';
  const stored = findConversation(id);
  const conversation = stored ?? newChat.value;
  const isUnknown = id !== '' && areLoaded.value && stored === undefined;
  const lives = liveIn(conversation.id);
  // The chat's own model answers it, whatever was chosen in others.
  useEffect(
    () => chooseModel(conversation.model ?? lastChosenModel(), { forNewChats: false }),
    [conversation.id, conversation.model],
  );
  const close = () => setPanel(undefined);
  const change = (next: Change) => changeChat(conversation, next);
  return (
    <div class="chat">
      <ConversationList currentId={conversation.id} open={panel === 'list'} onClose={close} />
      {isUnknown ? (
        <UnknownChat onOpenList={() => setPanel('list')} />
      ) : (
        <section
          class={conversation.leafId === null ? 'conversation empty' : 'conversation'}
          aria-label={conversation.title || t.chat.untitled}
        >
          <Toolbar conversation={conversation} onChange={change} onOpen={setPanel} />
          <StorageNotice />
          <Thread
            key={conversation.id}
            conversation={conversation}
            lives={lives}
            onAsk={(text) => void send(conversation, text, [])}
          />
          <Voice
            key={conversation.id}
            conversation={conversation}
            lives={lives}
            onAsk={(text) => send(conversation, text, [])}
          />
          <Composer
            key={conversation.id}
            conversation={conversation}
            lives={lives}
            onSend={(text, files) => send(conversation, text, files)}
            onSettings={(settings) => change((old) => ({ ...old, settings }))}
            onOpenSettings={() => setPanel('settings')}
          />
        </section>
      )}
      <Dialogs key={conversation.id} {...{ panel, conversation }} onChange={change} onClose={close} />
    </div>
  );
}

/** Keeps the chats at the server too, where the person wants that. */
function useServerCopies(): void {
  useEffect(() => {
    if (!isKept.value) return;
    const following = importPart(() => import('./conversations/server-copies.ts'))
      .then(({ followServer }) => followServer())
      .catch(() => undefined);
    return () => void following.then((stop) => stop?.());
  }, [isKept.value]);
}

type Change = (old: Conversation) => Conversation;

function changeChat({ id }: Conversation, change: Change): void {
  if (newChat.value.id === id) newChat.value = change(newChat.value);
  else changeConversation(id, change);
}

interface DialogsProps {
  readonly panel: Panel | undefined;
  readonly conversation: Conversation;
  readonly onChange: (change: Change) => void;
  readonly onClose: () => void;
}

const Dialogs = ({ panel, conversation, onChange, onClose }: DialogsProps) => (
  <Suspense fallback={null}>
    {panel === 'settings' && (
      <SettingsDialog
        settings={conversation.settings}
        onChange={(settings) => onChange((old) => ({ ...old, settings }))}
        onClose={onClose}
      />
    )}
    {panel === 'code' && <CodeDialog conversation={conversation} onClose={onClose} />}
  </Suspense>
);

/** Where there is a model that speaks. */
const Voice = (props: Parameters<typeof VoiceBar>[0]) => (
  <Suspense fallback={null}>{voiceModels.value.length > 0 && <VoiceBar {...props} />}</Suspense>
);

/** Adds a question to `conversation` and has it answered. False: there is no model for it. */
async function send(
  conversation: Conversation,
  text: string,
  files: readonly NewAttachment[],
): Promise<boolean> {
  // A message may come before the list of models.
  if (models.value === undefined) await loadModels().catch(() => undefined);
  const model = chatModel.value;
  if (model === undefined) return false;
  const attachments = await keepAttachments(files);
  const { leafId: parentId, comparedModel } = conversation;
  const message = { id: newId(), parentId, role: 'user' as const, content: text, attachments };
  const asked = append(without({ ...conversation, model: model.id }, 'comparedId'), message);
  keepUnsent(conversation.id, '');
  putConversation(comparedModel === undefined ? asked : { ...asked, comparedId: message.id });
  if (newChat.value.id === conversation.id) {
    go('chat', conversation.id);
    newChat.value = newConversation(settingsForAll.value);
  }
  for (const id of new Set([comparedModel ?? model.id, model.id]))
    void answer(conversation.id, id, { parentId: message.id });
  return true;
}

function UnknownChat({ onOpenList }: { onOpenList: () => void }) {
  return (
    <section class="conversation" aria-label={t.chat.unknown}>
      <div class="page">
        <h1>{t.chat.unknown}</h1>
        <p class="lead">{t.chat.unknownHint}</p>
        <p class="actions">
          <button type="button" class="primary" onClick={() => go('chat')}>
            {t.chat.newChat}
          </button>
          <button type="button" class="narrow-only" onClick={onOpenList}>
            {t.chat.conversations}
          </button>
        </p>
      </div>
    </section>
  );
}

/** That the browser has no room for what is on the screen, and the ways out. */
function StorageNotice() {
  if (!isStorageFull.value) return null;
  return (
    <div class="notice" role="alert">
      <p>{t.chat.storageFull}</p>
      <button type="button" onClick={() => void saveConversations()}>
        {t.chat.exportAll}
      </button>
    </div>
  );
}
