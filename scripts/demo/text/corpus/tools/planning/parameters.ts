import type { Choices } from '../../text/choices.ts';
import { entries, type Entry, finder, lines, words } from '../../text/data.ts';
import { draw, drawCount } from '../../text/forms.ts';

/** A parameter of a tool. */
export interface PlannedParameter {
  readonly key: string;
  /** How the requests of a family call it. */
  readonly role?: string;
  readonly slot: Slot;
  readonly required: boolean;
  readonly values?: readonly string[];
}

/** One parameter of made-up tools: its possible names, and how a question and a description say it. */
export type Slot = ReturnType<typeof readSlot>;

const readSlot = (entry: Entry) => ({
  keys: words(entry.get('keys')),
  /** The kind of its values. */
  kind: entry.get('kind'),
  /** `{}` stands for the value; it occurs literally, save for flags. */
  phrases: entry.get('phrases').split('; '),
  /** How a flag that is not wanted is said. */
  negated: entry.find('negated')?.split('; '),
  /** How the description says it. */
  described: entry.get('described'),
  enums: entry.find('one of')?.split('; ').map(words),
});

const namedSlots = entries('tool slots').map((entry) => [entry.get('slot'), readSlot(entry)] as const);
export const slotNames: readonly string[] = namedSlots.map(([name]) => name);
export const slotOf = finder('slot', namedSlots);

/** Parameters for some of these slots. */
export function planParameters(choices: Choices, possible: readonly string[]): PlannedParameter[] {
  const chosen = choices.sample(possible, drawCount(choices, 'parameters of a tool')).map(slotOf);
  const parameters: PlannedParameter[] = [];
  for (const [index, known] of chosen.entries()) {
    // Two values said the same way could not be told apart.
    const said = parameters.flatMap(({ slot }) => slot.phrases);
    const clash = said.some((phrase) => known.phrases.includes(phrase));
    const slot = clash || choices.chance(0.08) ? renameSlot(choices, known, clash) : known;
    const key = choices.pick(slot.keys);
    if (parameters.some((parameter) => parameter.key === key)) continue;
    const required = choices.chance(index === 0 ? 0.9 : 0.6);
    const values = slot.enums && drawOptions(choices, slot.enums);
    parameters.push({ key, slot, required, ...(values && { values }) });
  }
  return parameters;
}

/** The slot with a key that says nothing of its kind; the description names it, always so if `only`. */
function renameSlot(choices: Choices, slot: Slot, only: boolean): Slot {
  const key = draw(choices, 'any option name');
  const [lead = ''] = slot.described.split(' ', 1);
  const named = lines('phrases that name the key');
  const phrases = only || choices.chance(0.6) ? [...named] : [...slot.phrases, ...named];
  if (slot.kind === 'flag') return { ...slot, keys: [key], described: `with or without ${key}` };
  return { ...slot, keys: [key], phrases, described: `${lead} a ${key}` };
}

/** The values of an enum: usual ones or made-up ones. */
function drawOptions(choices: Choices, usual: readonly (readonly string[])[]): readonly string[] {
  if (choices.chance(0.6)) return choices.pick(usual);
  const pool = lines(choices.pick(['nouns', 'adjectives', 'colours', 'things']));
  const values = choices.sample(pool, choices.integer(2, 4));
  return choices.chance(0.2) ? [...values, draw(choices, 'nonsense word')] : values;
}
