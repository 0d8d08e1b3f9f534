import type { Choices } from '../text/choices.ts';
import type { Slots } from '../text/forms.ts';
import { ask, type Exchange, type Manner, questionsOf } from '../text/wording.ts';

/** A question that is worked out in steps. */
export interface Riddle extends Exchange {
  readonly steps: readonly string[];
  /** What is answered without thinking, where that differs. */
  readonly direct?: string;
}

/** Where a riddle's questions stand and what fills their slots; the rest is the riddle's own. */
interface Plan extends Omit<Riddle, 'question'> {
  readonly sections: readonly string[];
  readonly slots: Slots;
}

/** The riddle, asked in one of the ways of its sections. */
export function pose(choices: Choices, { sections, slots, ...riddle }: Plan, manner?: Manner): Riddle {
  const questions = sections.flatMap(questionsOf);
  return { ...ask(choices, { questions, slots, answer: riddle.answer }, manner), ...riddle };
}
