import { batch, computed, effect, signal } from '@preact/signals';
import { importPart, isServerAway } from '../../api/connection.ts';
import { ApiError, eventsOf } from '../../api/request.ts';
import type { ChatEvent, ResponseEvent } from '../../api/types.ts';
import { messageOf } from '../../state/polled.ts';
import { afterMs } from '../../state/after-ms.ts';
import { noteAnswer } from '../../state/models.ts';
import { asUser } from '../../state/session.ts';
import { t } from '../../words/texts.ts';
import {
  append,
  branchOf,
  newId,
  replaceMessage,
  type Conversation,
  type Message,
} from '../conversations/conversation.ts';
import { findFile, toBase64 } from '../conversations/files.ts';
import { changeConversation, conversations, findConversation } from '../conversations/store.ts';
import { Draft } from './draft.ts';
import type { Failure } from './failure.ts';
import { openAgain, stopStream } from './read-on.ts';
import { toChatRequest, type ReadBase64 } from './request.ts';

/** An answer that is being written. */
export interface LiveAnswer {
  readonly conversationId: string;
  readonly message: Message;
  /** Whether this page asked for it. */
  readonly isOwn: boolean;
  stop(): void;
}

/** The answers that are being written now, in whatever conversation. */
export const liveAnswers = signal<readonly LiveAnswer[]>([]);

/** The answers that are being written in the conversation of that id. */
export const liveIn = (conversationId: string): readonly LiveAnswer[] =>
  liveAnswers.value.filter((live) => live.conversationId === conversationId);

/** A running answer is saved in the browser this often, should the server lose it too. */
const keepEveryMs = 2000;

/** A stream that is read anew has this long to tell the text before it was stopped. */
const lastWordsMs = 500;

/** The ids of answers that are not asked for yet. */
export const unsentIds = new Set<string>();

/** As often as this a question looks whether the server is back. */
const askMs = 200;

/** The fields that a message has by its end, and loses where it is written on. */
const endings = ['finish', 'error', 'errorKind', 'errorDetails', 'failedRequest', 'retryAtMs'] as const;

/** Has `model` answer the message `parentId`, or write the rest of `begun`, an answer. */
export async function answer(
  conversationId: string,
  model: string,
  { parentId, begun }: { parentId: string | null; begun?: Message },
): Promise<void> {
  const conversation = findConversation(conversationId);
  if (conversation === undefined) return;
  const message: Message = begun ?? { id: newId(), parentId, role: 'assistant', model, content: '' };
  const { content, reasoning = '' } = message;
  const stream = {
    name: `page-${newId()}`,
    contentChars: content.length,
    reasoningChars: reasoning.length,
  };
  const base: Message = { ...message };
  for (const name of endings) delete base[name];
  let isPlaced = begun !== undefined;
  await follow(conversationId, { ...base, stream }, async (leaving) => {
    const place = { ...base, stream };
    changeConversation(conversationId, (old) =>
      isPlaced ? replaceMessage(old, place) : append({ ...old, leafId: parentId }, place),
    );
    isPlaced = true;
    // The question shows before the whole conversation is written as JSON, and waits while it would reach nobody.
    unsentIds.add(message.id);
    do await afterMs(isServerAway.value ? askMs : 0);
    while (isServerAway.value && !leaving.aborted);
    unsentIds.delete(message.id);
    const asked = { ...conversation, leafId: begun?.id ?? parentId };
    const files = await readFiles(asked);
    const { servers = [] } = conversation.settings;
    const options = { method: 'POST', streamName: stream.name, signal: leaving };
    if (servers.length > 0 && begun === undefined) {
      const { toServersRequest, isRefusedApproval } = await importPart(() => import('./servers-request.ts'));
      return await asUser('responses', { ...options, body: toServersRequest(asked, model, files) }).catch(
        (error: unknown) => {
          if (!isRefusedApproval(error)) throw error;
          const body = toServersRequest(asked, model, files, false);
          return asUser('responses', { ...options, body });
        },
      );
    }
    const body = {
      ...toChatRequest(asked, model, files),
      return_progress: true,
      ...(begun !== undefined && { continue_final_message: true }),
    };
    return await asUser('chat/completions', { ...options, body });
  });
}

type OpenStream = (leaving: AbortSignal) => Promise<Response>;

/** `message` without all that its stream wrote into it. */
const beforeStream = ({ items, ...rest }: Message, stream: NonNullable<Message['stream']>): Message => ({
  ...rest,
  // A stream that writes on makes no calls, and one that makes calls tells them all again.
  ...(stream.contentChars > 0 && items !== undefined && { items }),
  content: rest.content.slice(0, stream.contentChars),
  reasoning: (rest.reasoning ?? '').slice(0, stream.reasoningChars),
});

/** Shows `message` as its stream grows, and keeps it. Without `begin` another tab, or this one earlier, has begun it. */
async function follow(conversationId: string, message: Message, begin?: OpenStream): Promise<void> {
  const { stream } = message;
  if (stream === undefined) return;
  const leaving = new AbortController();
  const newDraft = (isReplay: boolean) => new Draft(beforeStream(message, stream), isReplay);
  let draft = newDraft(begin === undefined);
  const isOwn = begin !== undefined;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    stopStream(stream.name);
    setTimeout(() => leaving.abort(), isOwn ? 0 : lastWordsMs);
  };
  const live = show({ conversationId, message, isOwn, stop });
  const keep = (next: Message) => changeConversation(conversationId, (old) => replaceMessage(old, next));
  const read = async (response: Response) => {
    let keptAtMs = performance.now();
    for await (const event of eventsOf<ChatEvent | ResponseEvent>(response)) {
      draft.take(event);
      live.update(() => draft.toMessage());
      if (begin === undefined || performance.now() - keptAtMs < keepEveryMs) continue;
      keptAtMs = performance.now();
      keep({ ...draft.toMessage(), stream });
    }
  };
  let failure: Failure = {};
  try {
    try {
      await read(await (begin ?? openAgain(stream.name))(leaving.signal));
    } catch (thrown) {
      if (isStopped || !isBrokenOff(thrown)) throw thrown;
      let isReplay = true;
      const again = await openAgain(stream.name)(leaving.signal).catch((error: unknown) => {
        // A server that knows nothing of it never got the question.
        isReplay = !isLost(error) || !draft.isEmpty;
        return isReplay ? undefined : begin?.(leaving.signal);
      });
      if (again === undefined) throw thrown;
      draft = newDraft(isReplay);
      await read(again);
    }
    draft.finish ??= isStopped ? 'stopped' : 'lost';
    noteAnswer(message.model ?? '', true);
  } catch (thrown) {
    if (isStopped || isLost(thrown) || (isBrokenOff(thrown) && !draft.isEmpty)) {
      // A stream that was read anew may not have come as far as before: the text that was shown is left.
      if (draft.isEmpty || lengthOf(draft.toMessage()) < lengthOf(live.shown()))
        draft = new Draft(live.shown(), true);
      draft.finish = isStopped ? 'stopped' : 'lost';
    } else failure = await readFailure(thrown, message.model);
  }
  batch(() => {
    // Another tab may have ended it.
    const { messages = [] } = findConversation(conversationId) ?? {};
    if (messages.find(({ id }) => id === message.id)?.stream !== undefined)
      keep({ ...draft.toMessage(), ...failure });
    live.end();
  });
}

/** The answers that were begun and have not ended, as the conversations tell. */
const begunAnswers = computed(() =>
  conversations.value.flatMap(({ id, messages }) =>
    messages.flatMap((message) =>
      message.stream === undefined ? [] : [{ conversationId: id, message, name: message.stream.name }],
    ),
  ),
);

/** Follows every answer that was begun before this page was loaded, or in another tab. */
export const followBegunAnswers = (): (() => void) =>
  effect(() => {
    for (const { conversationId, message } of begunAnswers.value) {
      if (!liveAnswers.peek().some(isOf({ conversationId, message }))) void follow(conversationId, message);
    }
  });

type Place = Pick<LiveAnswer, 'conversationId' | 'message'>;

/** Whether two answers stand in the same place: an exported chat may have the messages of another one. */
const isOf =
  ({ conversationId, message }: Place) =>
  (other: Place): boolean =>
    other.conversationId === conversationId && other.message.id === message.id;

const isBrokenOff = (thrown: unknown) => thrown instanceof ApiError && thrown.code === 'unreachable';
const isLost = (thrown: unknown) => thrown instanceof ApiError && thrown.code === 'not_found';

/** Reads the attached files of the shown branch. Rejects where this browser has lost it. */
async function readFiles(conversation: Conversation): Promise<ReadBase64> {
  const contents = new Map<string, string>();
  for (const { attachments = [] } of branchOf(conversation))
    for (const attachment of attachments) {
      if (attachment.kind === 'text') continue;
      const content = await findFile(attachment.fileId);
      if (content === undefined) throw new Error(t.chat.fileGone(attachment.name));
      contents.set(attachment.fileId, await toBase64(content));
    }
  return ({ fileId }) => contents.get(fileId) ?? '';
}

/** A failure in the fields of a message; no more than why, where the server is away. */
const readFailure = async (thrown: unknown, model?: string): Promise<Failure> =>
  await importPart(() => import('./failure.ts')).then(
    ({ toFailure }) => toFailure(thrown, model),
    () => ({ error: messageOf(thrown) }),
  );

/** Puts an answer among those that are being written; it is shown again at most once per frame, and never shorter. */
function show(first: LiveAnswer): { update(read: () => Message): void; shown(): Message; end(): void } {
  let frame: number | undefined;
  let shown = first.message;
  const replace = (message: Message) => {
    if (lengthOf(message) < lengthOf(shown)) return;
    shown = message;
    liveAnswers.value = liveAnswers.value.map((other) =>
      isOf(first)(other) ? { ...other, message } : other,
    );
  };
  liveAnswers.value = [...liveAnswers.value, first];
  return {
    update(read) {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        replace(read());
      });
    },
    shown: () => shown,
    end() {
      if (frame !== undefined) cancelAnimationFrame(frame);
      liveAnswers.value = liveAnswers.value.filter((other) => !isOf(first)(other));
    },
  };
}

const lengthOf = ({ content, reasoning = '' }: Message) => content.length + reasoning.length;
