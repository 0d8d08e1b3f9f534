import type { Conversation, Group, Message } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import type { Exchange } from '../text/wording.ts';

/** System prompts that change nothing about the answers. */
const plainSystemPrompts = [
  'You are a helpful assistant.',
  'You are a helpful assistant.',
  'You are a helpful assistant.',
  'You are a helpful AI assistant.',
  'You are a friendly assistant.',
  'You are an assistant.',
  'You are a helpful and polite assistant.',
  'You are a helpful assistant. Be brief.',
  'You are a helpful assistant. Answer in one sentence.',
  'You are a concise assistant.',
  'You answer questions.',
  'Answer briefly.',
  'Answer the question.',
  'Answer in one sentence.',
  'Answer the questions of the user.',
  'Be brief.',
  'Be brief and polite.',
  'Be helpful.',
  'Be concise.',
  'Keep it short.',
  'Keep your answers short.',
  'Please be polite.',
  'Help the user.',
  'You help people who use hearth.',
  'You are a chat model.',
  'Answer truthfully.',
  'If you do not know something, say so.',
  'Give short, correct answers.',
  'You are a helpful assistant who answers in short sentences.',
  'You are a careful assistant.',
];

/** What stands before the first exchange: this system prompt, or a plain one now and then. */
type Opening = { readonly system: string } | { readonly choices: Choices };

/** The exchanges as one conversation. */
export function conversationOf(group: Group, exchanges: readonly Exchange[], opening: Opening): Conversation {
  const system = 'system' in opening ? opening.system : plainSystemPrompt(opening.choices);
  return {
    group,
    messages: [
      ...(system === undefined ? [] : [{ role: 'system', content: system } as const]),
      ...exchanges.flatMap(({ question, answer }): Message[] => [
        { role: 'user', content: question },
        { role: 'assistant', content: answer },
      ]),
    ],
  };
}

function plainSystemPrompt(choices: Choices): string | undefined {
  return choices.chance(0.25) ? choices.pick(plainSystemPrompts) : undefined;
}
