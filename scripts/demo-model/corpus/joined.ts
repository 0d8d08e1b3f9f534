import type { Conversation } from '../conversation.ts';
import { writeArithmeticExchange } from './arithmetic.ts';
import type { Choices } from './choices.ts';
import { conversationOf } from './exchanges.ts';
import { writeFactsExchange } from './facts.ts';
import { writeGreetingExchange } from './greeting.ts';
import { writeHearthExchange } from './hearth.ts';
import { writeListsExchange } from './lists.ts';
import { writeSpellingExchange } from './spelling.ts';
import { writeUnknownExchange } from './unknown.ts';
import type { Exchange } from './wording.ts';

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

function writeAnyExchange(choices: Choices): Exchange {
  return choices.pick(Object.values(writers))(choices);
}

/** One exchange of the group, often after one or two others of this or another simple group. */
export function writeSimpleConversation(choices: Choices, group: SimpleGroup): Conversation {
  const before = choices.weighted([
    [0, 70],
    [1, 20],
    [2, 10],
  ]);
  const exchanges = Array.from({ length: before }, () =>
    choices.chance(0.4) ? writers[group](choices) : writeAnyExchange(choices),
  );
  return conversationOf(group, [...exchanges, writers[group](choices)], { choices });
}
