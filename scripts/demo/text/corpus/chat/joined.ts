import type { Conversation } from '../../conversation.ts';
import { drawMemory, tell } from '../person/memories.ts';
import type { Choices } from '../text/choices.ts';
import { type Exchange, plainConversation } from '../text/exchanges.ts';
import { drawCount, drawFrom } from '../text/forms.ts';
import { writeArithmeticExchange } from './arithmetic.ts';
import { writeFactsExchange, writeUnknownExchange } from './facts.ts';
import { writeGreetingExchange } from './greeting.ts';
import { writeHearthExchange } from './hearth.ts';
import { writeListsExchange } from './lists.ts';
import { writeSpellingExchange } from './spelling.ts';

const impersonal = {
  hearth: writeHearthExchange,
  facts: writeFactsExchange,
  unknown: writeUnknownExchange,
  arithmetic: writeArithmeticExchange,
  spelling: writeSpellingExchange,
  lists: writeListsExchange,
} as const;

/** How the groups are written whose questions need nothing that was said before. */
export const simpleGroups = { greeting: writeGreetingExchange, ...impersonal } as const;
export type SimpleGroup = keyof typeof simpleGroups;

/** An exchange of some simple group in which the model does not speak of itself. */
export const writeImpersonalExchange = (choices: Choices): Exchange =>
  choices.pick(Object.values(impersonal))(choices);

/** An exchange of some simple group, small talk among them. */
const any = (choices: Choices): Exchange => choices.pick(Object.values(simpleGroups))(choices);

/** An exchange about something else. */
export const talkOnce = (choices: Choices): Exchange =>
  choices.chance(0.2) ? any(choices) : writeImpersonalExchange(choices);

/** The user tells something about himself that nobody asks for. */
const telling = (choices: Choices): Exchange => tell(choices, drawMemory(choices));

/** One exchange of the group, often after some others of this or another simple group. */
export function writeSimpleConversation(choices: Choices, group: SimpleGroup): Conversation {
  const same = simpleGroups[group];
  const count = drawCount(choices, 'exchanges before the last one');
  const before = Array.from({ length: count }, () =>
    drawFrom(choices, 'kinds of exchanges before', { same, any, telling })(choices),
  );
  return plainConversation(choices, group, [...before, same(choices)]);
}
