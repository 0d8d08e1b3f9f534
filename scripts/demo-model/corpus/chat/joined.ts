import type { Conversation } from '../../conversation.ts';
import { drawMemory, tell } from '../person/memories.ts';
import type { Choices } from '../text/choices.ts';
import { drawCount, drawFrom } from '../text/forms.ts';
import type { Exchange } from '../text/intents.ts';
import { plainConversation } from '../text/messages.ts';
import { writeArithmeticExchange } from './arithmetic.ts';
import { writeFactsExchange } from './facts.ts';
import { writeGreetingExchange } from './greeting.ts';
import { writeHearthExchange } from './hearth.ts';
import { writeListsExchange } from './lists.ts';
import { writeSpellingExchange } from './spelling.ts';
import { writeUnknownExchange } from './unknown.ts';

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
export function writeSimpleConversation(choices: Choices, group: keyof typeof simpleGroups): Conversation {
  const same = simpleGroups[group];
  const count = drawCount(choices, 'exchanges before the last one');
  const before = Array.from({ length: count }, () =>
    drawFrom(choices, 'kinds of exchanges before', { same, any, telling })(choices),
  );
  return plainConversation(choices, group, [...before, same(choices)]);
}
