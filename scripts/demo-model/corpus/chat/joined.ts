import type { Conversation } from '../../conversation.ts';
import { writeArithmeticExchange } from './arithmetic.ts';
import type { Choices } from '../text/choices.ts';
import { drawCount } from '../text/forms.ts';
import { conversationOf } from './exchanges.ts';
import { writeFactsExchange } from './facts.ts';
import { writeGreetingExchange } from './greeting.ts';
import { writeHearthExchange } from './hearth.ts';
import { writeListsExchange } from './lists.ts';
import { drawMemory } from '../person/memory-kinds.ts';
import { writeSpellingExchange } from './spelling.ts';
import { writeUnknownExchange } from './unknown.ts';
import { ask, type Exchange } from '../text/wording.ts';

const writers = {
  greeting: writeGreetingExchange,
  hearth: writeHearthExchange,
  facts: writeFactsExchange,
  unknown: writeUnknownExchange,
  arithmetic: writeArithmeticExchange,
  spelling: writeSpellingExchange,
  lists: writeListsExchange,
} as const;

/** A group whose questions need nothing that was said before. */
export type SimpleGroup = keyof typeof writers;

const { greeting: _, ...impersonal } = writers;

/** An exchange of some simple group in which the model does not speak of itself. */
export function writeImpersonalExchange(choices: Choices): Exchange {
  return choices.pick(Object.values(impersonal))(choices);
}

/** An exchange of some simple group, small talk among them. */
export function writeAnyExchange(choices: Choices): Exchange {
  return choices.pick(Object.values(writers))(choices);
}

/** The user tells something about himself that nobody asks for. */
function writeTellingExchange(choices: Choices): Exchange {
  return ask(choices, drawMemory(choices).told, { keepCase: true, statement: true });
}

/** One exchange of the group, often after some others of this or another simple group. */
export function writeSimpleConversation(choices: Choices, group: SimpleGroup): Conversation {
  const before = drawCount(choices, 'exchanges before the last one');
  const exchanges = Array.from({ length: before }, () =>
    choices.weighted([
      [writers[group], 38],
      [writeAnyExchange, 52],
      [writeTellingExchange, 10],
    ])(choices),
  );
  return conversationOf(group, [...exchanges, writers[group](choices)], { choices });
}
