import { useEffect, useState } from 'preact/hooks';
import { importPart } from '../api/connection.ts';
import { chatModel, chooseModel, loadModels, models, voiceModels } from '../state/models.ts';
import { isKept } from '../state/kept-on-server.ts';
import { go, routeParts } from '../state/route.ts';
import { t } from '../words/texts.ts';
import { ask, lastRemoved } from './actions.ts';
import { followBegunAnswers, liveIn } from './answers/answer.ts';
import { Composer } from './composer/composer.tsx';
import { ConversationList } from './conversations/list/conversation-list.tsx';
import {
  newConversation,
  type Attachment,
  type ChatSettings,
  type Conversation,
} from './conversations/conversation.ts';
import { areLoaded, findConversation, loadConversations, isStorageFull } from './conversations/store.ts';
import { lazyPart } from '../ui/rendering/lazy-part.tsx';
import { Thread } from './messages/thread.tsx';
import { changeChat, newChat, type Change } from './new-chat.ts';
import { settingsForAll } from './settings/presets.ts';
import { titleModels } from './titles/title-models.ts';
import { Toolbar, type Panel } from './toolbar.tsx';

const UnknownChat = lazyPart(async () => (await import('./unknown-chat.tsx')).UnknownChat);
const StorageNotice = lazyPart(async () => (await import('./storage-notice.tsx')).StorageNotice);
const RemovedNote = lazyPart(async () => (await import('./messages/actions/removed-note.tsx')).RemovedNote);
const SettingsDialog = lazyPart(async () => (await import('./settings/settings-dialog.tsx')).SettingsDialog);
const VoiceBar = lazyPart(async () => (await import('../voice/voice-bar.tsx')).VoiceBar);
const CodeDialog = lazyPart(async () => (await import('./code/code-dialog.tsx')).CodeDialog);

/** One conversation, the list of all, and their settings. */
export function ChatView() {
  const [panel, setPanel] = useState<Panel>();
  useLists();
  const id = routeParts.value[1] ?? '';
  const stored = findConversation(id);
  const conversation = stored ?? newChat.value;
  const isUnknown = id !== '' && areLoaded.value && stored === undefined;
  // The chat's own model answers it, whatever was chosen in others.
  useEffect(
    () => chooseModel(conversation.model ?? '', { forNewChats: false }),
    [conversation.id, conversation.model],
  );
  return (
    <div class="chat">
      <ConversationList
        currentId={conversation.id}
        open={panel === 'list'}
        onClose={() => setPanel(undefined)}
      />
      {panel === 'list' && <div class="scrim" onClick={() => setPanel(undefined)} />}
      {isUnknown ? (
        <UnknownChat onOpenList={() => setPanel('list')} />
      ) : (
        <OpenChat key={conversation.id} conversation={conversation} panel={panel} onPanel={setPanel} />
      )}
    </div>
  );
}

interface OpenProps {
  readonly conversation: Conversation;
  readonly panel: Panel | undefined;
  readonly onPanel: (panel: Panel | undefined) => void;
}

function OpenChat({ conversation, panel, onPanel }: OpenProps) {
  const { id, leafId, title, settings } = conversation;
  const lives = liveIn(id);
  const close = () => onPanel(undefined);
  const change = (next: Change) => changeChat(id, next);
  const setModel = (model: string) => {
    chooseModel(model);
    change((old) => ({ ...old, model }));
  };
  const setSettings = (next: ChatSettings) => change((old) => ({ ...old, settings: next }));
  const sendHere = (text: string, attachments: readonly Attachment[] = []) =>
    send(conversation, text, attachments);
  return (
    <section
      class={leafId === null ? 'conversation empty' : 'conversation'}
      aria-label={title || t.chat.untitled}
    >
      <Toolbar conversation={conversation} onModel={setModel} onChange={change} onOpen={onPanel} />
      {isStorageFull.value && <StorageNotice />}
      <Thread conversation={conversation} lives={lives} onAsk={(text) => void sendHere(text)} />
      {lastRemoved.value?.before.id === id && (
        <RemovedNote key={lastRemoved.value.ids[0]} {...lastRemoved.value} />
      )}
      {voiceModels.value.length > 0 && (
        <VoiceBar conversation={conversation} lives={lives} onAsk={sendHere} />
      )}
      <Composer
        conversation={conversation}
        lives={lives}
        onSend={(...message) => (lives.length > 0 ? sendNext(id, ...message) : sendHere(...message))}
        onModel={setModel}
        onSecond={(model) => change((old) => ({ ...old, comparedModel: model }))}
        onSettings={setSettings}
        onOpen={onPanel}
      />
      {panel === 'settings' && <SettingsDialog settings={settings} onChange={setSettings} onClose={close} />}
      {panel === 'code' && <CodeDialog conversation={conversation} onClose={close} />}
    </section>
  );
}

/** Loads the models and the chats, and keeps these at the server too, where the person wants that. */
function useLists(): void {
  useEffect(() => {
    void loadModels().catch(() => undefined);
    void loadConversations();
    return followBegunAnswers();
  }, []);
  useEffect(() => {
    if (titleModels.value === 'none') return;
    return following(async () => (await import('./titles/titles.ts')).followAnswers());
  }, [titleModels.value]);
  useEffect(() => {
    if (!isKept.value) return;
    return following(async () => (await import('./conversations/server-copies.ts')).followServer());
  }, [isKept.value]);
}

/** Has a part loaded that follows the chats here; gives back a function that ends it. */
function following(begin: () => Promise<() => void>): () => void {
  const begun = importPart(begin).catch(() => undefined);
  return () => void begun.then((stop) => stop?.());
}

/** Adds a question to `conversation` and has it answered. Gives back why not, where the server has not told its models. */
async function send(
  conversation: Conversation,
  text: string,
  attachments: readonly Attachment[],
): Promise<string | undefined> {
  // A message may come before the list of models.
  if (models.value === undefined) await loadModels().catch(() => undefined);
  const model = chatModel.value;
  if (model === undefined) return t.errors.unreachable;
  ask(conversation, model.id, text, attachments);
  if (newChat.value.id === conversation.id) {
    go('chat', conversation.id);
    newChat.value = newConversation(settingsForAll.value);
  }
  return undefined;
}

/** Has a question wait for the end of the answer that is being written. */
async function sendNext(
  id: string,
  text: string,
  attachments: readonly Attachment[],
): Promise<string | undefined> {
  const part = await importPart(() => import('./composer/queue/next-message.ts')).catch(() => undefined);
  part?.queue(id, text, attachments);
  return part === undefined ? t.errors.unreachable : undefined;
}
