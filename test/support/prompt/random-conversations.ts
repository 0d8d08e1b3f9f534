import type { Conversation } from '../../../src/engine/prompt/conversation.ts';
import type { ChatMessage, ToolDefinition } from '../../../src/engine/types.ts';

const tools: readonly ToolDefinition[] = ['look_up', 'put_down'].map((name) => ({
  name,
  description: 'Does something.',
  parameters: { type: 'object', properties: { at: { type: 'string', description: 'where' } } },
}));

/** Numbers drawn in the same order from the same seed. */
function randomFrom(seed: number) {
  let state = seed;
  const below = (limit: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  return { below, chance: (percent: number) => below(100) < percent };
}

/**
 * A conversation as agents send them: system messages anywhere, greetings, empty answers, several messages of one role,
 * results in another order than their calls or missing, ids that come again. Each text is another word.
 */
export function randomConversation(seed: number): Conversation {
  const { below, chance } = randomFrom(seed);
  const offersTools = seed % 3 !== 0;
  const messages: ChatMessage[] = [];
  let words = 0;
  let ids = 0;
  const word = () => `zq${words++}word`;
  const say = (role: 'system' | 'user' | 'assistant', content = word()) =>
    void messages.push({ role, content });
  const call = (): void => {
    if (chance(30)) ids = 0;
    const content = chance(30) ? word() : '';
    const toolCalls = Array.from({ length: 1 + below(3) }, () => ({
      id: `call_${ids++}`,
      name: tools[below(2)]?.name ?? '',
      arguments: JSON.stringify({ at: word() }),
    }));
    messages.push({ role: 'assistant', content, toolCalls });
    if (chance(10)) return;
    const reminds = chance(20);
    for (const { id } of chance(30) ? toolCalls.toReversed() : toolCalls) {
      messages.push({ role: 'tool', content: word(), toolCallId: id });
      if (reminds) say('system');
    }
    if (chance(25)) say('system');
    if (chance(20)) say('user');
  };
  for (let systems = below(3); systems > 0; systems--) say('system');
  if (chance(15)) say('assistant');
  for (let rounds = 1 + below(4); rounds > 0; rounds--) {
    say('user');
    if (chance(15)) say('user');
    if (chance(25)) say('system');
    for (let calls = offersTools ? below(3) : 0; calls > 0; calls--) call();
    if (rounds === 1) break;
    say('assistant', chance(12) ? '' : word());
    if (chance(15)) say('system');
  }
  return { messages, ...(offersTools && { tools }) };
}

/** The contents of `messages` in the order in which they are to be shown: results in the order of their calls. */
function contentsOf(messages: readonly ChatMessage[]): readonly string[] {
  const shown = [...messages];
  for (const [at, { toolCalls = [] }] of messages.entries()) {
    const next = messages.findIndex(({ role }, index) => index > at && role === 'assistant');
    const places = [...shown.keys()].slice(at + 1, next < 0 ? undefined : next);
    const ofResults = places.filter((place) => shown[place]?.role === 'tool');
    const results = toolCalls.flatMap(({ id }) => {
      const place = ofResults.find((candidate) => messages[candidate]?.toolCallId === id);
      return messages[place ?? -1] ?? [];
    });
    for (const [index, result] of results.entries()) shown[ofResults[index] ?? -1] = result;
  }
  return shown.map(({ content }) => content).filter((content) => content !== '');
}

/** The words that `prompt` lacks, has twice or has in the wrong place. */
export function misplaced(prompt: string, messages: readonly ChatMessage[]): readonly string[] {
  const isOnce = (word: string) => prompt.split(word).length === 2;
  const isRising = (words: readonly string[]) =>
    words.every(
      (word, index) => index === 0 || prompt.indexOf(words[index - 1] ?? '') < prompt.indexOf(word),
    );
  const contents = contentsOf(messages);
  const wrong = [...contents.filter((word) => !isOnce(word)), ...(isRising(contents) ? [] : ['the order'])];
  for (const [at, { content, toolCalls = [] }] of messages.entries()) {
    const calls = toolCalls.map(({ id, arguments: json }) => ({
      id,
      word: (JSON.parse(json) as { at: string }).at,
    }));
    wrong.push(...calls.flatMap(({ word }) => (isOnce(word) ? [] : [word])));
    if (!isRising([...(content === '' ? [] : [content]), ...calls.map(({ word }) => word)]))
      wrong.push('calls');
    for (const { id, word } of calls) {
      const next = messages.findIndex(({ role }, index) => index > at && role === 'assistant');
      const behind = messages.slice(at + 1, next < 0 ? undefined : next);
      const result = behind.find(({ toolCallId }) => toolCallId === id);
      if (result && !isRising([word, result.content])) wrong.push(result.content);
    }
  }
  return wrong;
}

/** The conversations that `messages` went on from, one for each time that the assistant was asked. */
export const earlierTurns = (messages: readonly ChatMessage[]): readonly (readonly ChatMessage[])[] =>
  messages.flatMap(({ role }, at) =>
    role === 'assistant' && at > 0 && messages[at - 1]?.role !== 'assistant' ? [messages.slice(0, at)] : [],
  );

/** `prompt` up to the end of the last of `messages`. */
export function saidIn(prompt: string, messages: readonly ChatMessage[]): string {
  const ends = messages.flatMap(({ content }) =>
    content === '' ? [] : [prompt.indexOf(content) + content.length],
  );
  return prompt.slice(0, Math.max(...ends));
}
