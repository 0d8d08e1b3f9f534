import type { AssistantMessage, Conversation, Group, Message } from '../../conversation.ts';
import type { Choices } from './choices.ts';
import { pickForm } from './forms.ts';
import type { Exchange } from './intents.ts';

/** What the user says, and what the assistant answers, thinks or calls. */
export const turn = (question: string, answer: string, more?: Partial<AssistantMessage>): Message[] => [
  { role: 'user', content: question },
  { role: 'assistant', content: answer, ...more },
];

/** A system prompt where there is one. */
export const systemMessages = (content: string | undefined): Message[] =>
  content === undefined ? [] : [{ role: 'system', content }];

/** The exchanges as one conversation. */
export function conversationOf(group: Group, exchanges: readonly Exchange[], system?: string): Conversation {
  const turns = exchanges.flatMap(({ question, answer }) => turn(question, answer));
  return { group, messages: [...systemMessages(system), ...turns] };
}

/** The exchanges as one conversation, now and then under a system prompt that changes nothing. */
export const plainConversation = (
  choices: Choices,
  group: Group,
  exchanges: readonly Exchange[],
): Conversation =>
  conversationOf(
    group,
    exchanges,
    choices.chance(0.25) ? pickForm(choices, 'plain system prompts') : undefined,
  );
