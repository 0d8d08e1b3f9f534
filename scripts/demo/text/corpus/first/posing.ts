import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import type { Exchange } from '../text/exchanges.ts';
import { pickForm } from '../text/forms.ts';
import type { Slots } from '../text/slots.ts';
import { typeLoosely } from './typing.ts';

/** The section with questions, their slots, and the answer. */
export type Puzzle = readonly [section: string, slots: Slots, answer: string];

/** "twelve"; digits beyond a hundred. */
export const inWords = (number: number): string => lines('numbers up to a hundred')[number] ?? String(number);

/** The puzzle as somebody types it. */
export const pose = (choices: Choices, [section, slots, answer]: Puzzle): Exchange => ({
  question: typeLoosely(choices, pickForm(choices, section), slots),
  answer,
  steps: [],
});
