import { writeAnyExchange, writeImpersonalExchange } from '../chat/joined.ts';
import type { Choices } from '../text/choices.ts';
import { drawCount } from '../text/forms.ts';
import { ask, type Exchange } from '../text/wording.ts';
import { drawMemories, type Memory } from './memory-kinds.ts';

/** Memories of different kinds, one at the least. */
export function several(choices: Choices, count: number): [Memory, ...Memory[]] {
  const [first, ...others] = drawMemories(choices, count);
  if (first === undefined) throw new RangeError('no memory asked for');
  return [first, ...others];
}

/** The user tells it. */
export function tell(choices: Choices, { told }: Memory): Exchange {
  return ask(choices, told, { keepCase: true, statement: true });
}

/** The user asks for it. */
export function recall(choices: Choices, { asked }: Memory): Exchange {
  return ask(choices, asked);
}

/** Asked for, though it was never told. */
export function miss(choices: Choices, { asked, untold }: Memory): Exchange {
  return ask(choices, { ...asked, answer: untold });
}

/** Up to five exchanges about other things. */
export function talk(choices: Choices): Exchange[] {
  const length = drawCount(choices, 'exchanges between telling and asking');
  return Array.from({ length }, () => talkOnce(choices));
}

/** An exchange about something else. */
export function talkOnce(choices: Choices): Exchange {
  return choices.chance(0.2) ? writeAnyExchange(choices) : writeImpersonalExchange(choices);
}
