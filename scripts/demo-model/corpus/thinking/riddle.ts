import type { Choices } from '../text/choices.ts';
import { lines } from '../text/data.ts';
import { fill, type Slots } from '../text/forms.ts';
import { ask, type Exchange, intentOf, type Manner, questionsOf } from '../text/wording.ts';

/** A question that is worked out in steps. */
export interface Riddle extends Exchange {
  readonly steps: readonly string[];
  /** What is answered without thinking, where that differs. */
  readonly direct?: string;
}

/** What a riddle has beside the questions, the answer and the steps of its section. */
interface Addition extends Partial<Riddle> {
  /** More sections with questions. */
  readonly others?: readonly string[];
  readonly manner?: Manner;
}

/** The riddle of a section with these slots. */
export function pose(
  choices: Choices,
  section: string,
  slots: Slots,
  { others = [], manner, ...rest }: Addition = {},
): Riddle {
  const { questions, answer } = intentOf(section, slots);
  const all = others.length === 0 ? questions : [...questions, ...others.flatMap(questionsOf)];
  const steps = lines(section).filter((text) => text.startsWith('> '));
  return {
    ...ask(choices, { questions: all, slots, answer }, manner),
    steps: steps.map((step) => fill(step.slice(2), slots)),
    ...rest,
  };
}
