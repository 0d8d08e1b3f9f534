import { effect, untracked } from '@preact/signals';
import type { LimitList } from '../../api/types.ts';
import { chatModels, isDemo } from '../../state/models.ts';
import { userJson } from '../../state/session.ts';
import { liveAnswers, type LiveAnswer } from '../answers/answer.ts';
import { firstTitle, type Conversation } from '../conversations/conversation.ts';
import { changeConversation, findConversation } from '../conversations/store.ts';
import { titleModels } from './title-models.ts';
import { toTitle } from './title-text.ts';

/** Of the question and of the answer, in characters. */
const mostRead = 600;
const mostTokens = 24;

/** The ids of chats that were answered here and wait for a title. */
const waiting = new Set<string>();

/**
 * Has models write the titles of chats that they answered, when no answer is being written here; the server computes
 * them when nobody else waits. Any message of the person ends that, until it is answered. Gives back a function that
 * ends it all.
 */
export function followAnswers(): () => void {
  let running: readonly LiveAnswer[] = [];
  let asking = new AbortController();
  const stop = effect(() => {
    const ended = running.filter(({ message }) =>
      liveAnswers.value.every((live) => live.message.id !== message.id),
    );
    running = liveAnswers.value;
    for (const { conversationId, isOwn } of ended) if (isOwn) waiting.add(conversationId);
    asking.abort();
    if (running.length > 0) return;
    asking = new AbortController();
    const { signal } = asking;
    untracked(() => void nameAll(signal));
  });
  return () => {
    stop();
    asking.abort();
  };
}

async function nameAll(leaving: AbortSignal): Promise<void> {
  for (const id of waiting) {
    const title = await askTitle(findConversation(id), leaving).catch(() => undefined);
    if (leaving.aborted) return;
    waiting.delete(id);
    if (title !== undefined) changeConversation(id, (old) => (isUnnamed(old) ? { ...old, title } : old));
  }
}

/** Whether a chat is still called by its first question. */
const isUnnamed = ({ title, messages: [first], isNamed = false }: Conversation): boolean =>
  !isNamed && first !== undefined && title === firstTitle(first);

/** A title for `conversation` by the model that answered first; undefined: it keeps the one that it has. */
async function askTitle(
  conversation: Conversation | undefined,
  leaving: AbortSignal,
): Promise<string | undefined> {
  if (conversation === undefined || !isUnnamed(conversation)) return undefined;
  const [question, answer] = conversation.messages;
  const model = chatModels.value.find(({ id }) => id === answer?.model);
  if (question === undefined || answer === undefined || model === undefined || answer.content === '')
    return undefined;
  const isWanted = model.runs_elsewhere ? titleModels.value === 'all' : titleModels.value !== 'none';
  if (!isWanted || isDemo(model.id) || !(await isPlenty(model.id, leaving))) return undefined;
  const [asked, said] = [question, answer].map(({ content }) => content.slice(0, mostRead));
  const body = {
    model: model.id,
    messages: [{ role: 'user', content: `Question: ${asked}\n\nAnswer: ${said}\n\n${wish}` }],
    max_tokens: mostTokens,
    temperature: 0,
    reasoning_effort: 'none',
    service_tier: 'flex',
  };
  const completion = await userJson<Completion>('chat/completions', {
    method: 'POST',
    body,
    signal: leaving,
  });
  const [choice] = completion.choices;
  return choice?.finish_reason === 'stop'
    ? toTitle(choice.message.content ?? '', `${asked} ${said}`)
    : undefined;
}

const wish =
  'Write a title of two to six words for the conversation above, in its language. Write nothing but the title.';

interface Completion {
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: { readonly content: string | null };
  }[];
}

/** Whether the key has at least half of all that it may use of the model: a title is never why somebody has to wait. */
async function isPlenty(modelId: string, leaving: AbortSignal): Promise<boolean> {
  const { data, budgets } = await userJson<LimitList>('limits', { signal: leaving });
  return (
    data.every(({ model, limit, remaining }) => model !== modelId || remaining >= limit / 2) &&
    budgets.every(({ limit, left }) => left >= limit / 2)
  );
}
