import type { Choices } from './choices.ts';
import { hasSection, lines } from './data.ts';
import { drawSlots, readSlotLine } from './forms.ts';
import { fill, type Slots } from './slots.ts';
import { type Manner, typed, vary } from './wording.ts';

/** A question that a user may ask in several ways, and the one answer to it. */
export interface Intent {
  /** Templates for `vary`. */
  readonly questions: readonly string[];
  /** What their slots are filled with. */
  readonly slots?: Slots;
  readonly answer: string;
  /** What is thought before the answer. */
  readonly steps?: readonly string[];
}

/** One user message and its answer. */
export interface Exchange extends Pick<Intent, 'answer' | 'steps'> {
  readonly question: string;
}

/** A question of the intent as typed by somebody, and its answer. */
export function ask(choices: Choices, intent: Intent, manner?: Manner): Exchange {
  const { questions, slots = {}, answer, steps = [] } = intent;
  const question = fill(choices.pick(questions), slots);
  return { question: typed(choices, vary(choices, question), manner), answer, steps };
}

/** The intent that a section describes as README.md says. What is given is not drawn. */
export function drawIntent(choices: Choices, section: string, given: Slots = {}): Intent {
  let slots = given;
  const questions: string[] = [];
  const known = readLines(section);
  for (const { mark, text, slotLine } of known) {
    if (slotLine !== undefined) {
      if (!slotLine.names.every((name) => name in slots))
        slots = { ...drawSlots(choices, [slotLine], slots), ...slots };
    } else if (mark === undefined) questions.push(text);
    else if (mark === '+' && hasSection(fill(text, slots))) {
      const other = drawIntent(choices, fill(text, slots), slots);
      questions.push(...other.questions);
      slots = { ...other.slots };
    }
  }
  const filled = (wanted: string): string[] =>
    known.filter(({ mark }) => mark === wanted).map(({ text }) => fill(text, slots));
  return { questions, slots, answer: filled('=').join(''), steps: filled('>') };
}

/** An exchange that a section describes. */
export const exchangeOf = (choices: Choices, section: string, given?: Slots, manner?: Manner): Exchange =>
  ask(choices, drawIntent(choices, section, given), manner);

const read = new Map<string, ReturnType<typeof readLine>[]>();

function readLines(section: string): ReturnType<typeof readLine>[] {
  const known = read.get(section) ?? lines(section).map(readLine);
  read.set(section, known);
  return known;
}

function readLine(line: string) {
  const [, mark, text = line] = /^([=>+]) (.*)$/u.exec(line) ?? [];
  return { mark, text, slotLine: readSlotLine(line) };
}
