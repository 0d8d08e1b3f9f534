import type { ChatMessage, ToolDefinition } from '../../../src/engine/types.ts';
import type { Conversation } from '../../../src/engine/prompt/conversation.ts';

const tools: readonly ToolDefinition[] = [
  {
    name: 'get_weather',
    description: 'The weather at a place',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Its name' },
        days: { type: 'integer', description: 'How many' },
        hourly: { type: 'boolean', description: 'Each hour' },
        area: {
          type: 'object',
          description: 'Where',
          properties: {
            near: { type: 'array', description: 'Places', items: { type: 'string' } },
            km: { type: 'number', description: 'Radius' },
          },
        },
      },
      required: ['city'],
    },
  },
  {
    name: 'add',
    description: 'Adds',
    parameters: { type: 'object', properties: { a: { type: 'number', description: 'A term' } } },
  },
];
const system: ChatMessage = { role: 'system', content: 'Be brief.' };
const user: ChatMessage = { role: 'user', content: 'Hello there' };
const answer: ChatMessage = { role: 'assistant', content: 'Hi. What is it?' };
const question: ChatMessage = { role: 'user', content: 'And in Köln?' };
const call = (id: string, values: unknown) => ({
  id,
  name: 'get_weather',
  arguments: JSON.stringify(values),
});
const callingWith = (...values: unknown[]): ChatMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: values.map((value, index) => call(`call0000${index + 1}`, value)),
});
const calling = callingWith({ city: 'Rome', days: 2 });
const result: ChatMessage = { role: 'tool', content: '{"temp": 20}', toolCallId: 'call00001' };
const other: ChatMessage = { role: 'tool', content: 'cold', toolCallId: 'call00002' };
const callingTwice = callingWith({ city: 'Rome', days: 2 }, { city: 'Oslo', days: 2 });

const on = { reasoning: { enabled: true } };
const off = { reasoning: { enabled: false } };

/** Conversations whose prompts are compared. */
export const conversations: Readonly<Record<string, Conversation>> = {
  plain: { messages: [user], ...off },
  system: { messages: [system, user], ...off },
  turns: { messages: [system, user, answer, question], ...off },
  tools: { messages: [user], tools, ...off },
  'tools-system': { messages: [system, user], tools, ...off },
  result: { messages: [user, calling, result], tools, ...off },
  'result-turn': { messages: [system, user, calling, result, answer, question], tools, ...off },
  'two-results': { messages: [user, callingTwice, result, other], tools, ...off },
  spoken: { messages: [user, { ...calling, content: 'I look.' }, result], tools, ...off },
  thinking: { messages: [system, user], ...on },
  'thinking-tools': { messages: [user, calling, result], tools, ...on },
  thought: { messages: [user, { ...answer, reasoning: 'They greet.' }, question], ...on },
  'thought-call': { messages: [user, { ...calling, reasoning: 'Look it up.' }, result], tools, ...on },
};

interface TurnCase {
  readonly conversation: Conversation;
  /** The answer that the model is taken to have written. */
  readonly turn: ChatMessage;
}

const plain: Conversation = { messages: [user], ...off };
const offering: Conversation = { messages: [user], tools, ...off };
const thinking: Conversation = { messages: [user], tools, ...on };
const nested = { city: 'Rome "Süd"', hourly: true, area: { near: ['A', 'B'], km: 2.5 } };

/** Turns that are read back. */
export const turns: Readonly<Record<string, TurnCase>> = {
  answer: { conversation: plain, turn: answer },
  words: {
    conversation: plain,
    turn: { role: 'assistant', content: 'all is well to=user; call all tools, all of them' },
  },
  lines: { conversation: offering, turn: { role: 'assistant', content: 'One:\n\n- a < b\n- {"name": 1}' } },
  call: { conversation: offering, turn: calling },
  'two-calls': { conversation: offering, turn: callingTwice },
  nested: { conversation: offering, turn: callingWith(nested) },
  thought: { conversation: thinking, turn: { ...answer, reasoning: 'They greet all.' } },
  'thought-call': { conversation: thinking, turn: { ...calling, reasoning: 'Look it up.' } },
};
