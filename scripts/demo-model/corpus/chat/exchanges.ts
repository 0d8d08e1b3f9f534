import type { Conversation, Group, Message } from '../../conversation.ts';
import type { Choices } from '../text/choices.ts';
import { pickForm } from '../text/forms.ts';
import type { Exchange } from '../text/wording.ts';

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
  return choices.chance(0.25) ? pickForm(choices, 'plain system prompts') : undefined;
}
