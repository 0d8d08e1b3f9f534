import type { Choices } from './choices.ts';
import { finder, lines, memo } from './data.ts';
import { capitalize } from './inflect.ts';
import { isRefused } from './refusals.ts';
import { changeText, readSlot, type Slots, valueOf } from './slots.ts';

/** `first, second = form`: a form that is drawn before one is chosen, and the slots that hold it. */
interface SlotLine {
  readonly names: readonly string[];
  readonly form: string;
}

/** The forms that a section offers, and the lines that are drawn before one of them is chosen. */
interface Forms {
  readonly drawnFirst: readonly SlotLine[];
  readonly options: readonly (readonly [form: string, weight: number])[];
  /** The forms alone where all weigh the same. */
  readonly even: readonly string[] | undefined;
}

/** One of the section's forms, with everything in it drawn; again where a name or word must not come about. */
export function draw(choices: Choices, section: string, given: Slots = {}): string {
  const slots = drawSlots(choices, formsOf(section).drawnFirst, given);
  const text = compose(choices, pickForm(choices, section), slots);
  return isRefused(section, text) ? draw(choices, section, given) : text;
}

/** A number drawn from the section. */
export const drawCount = (choices: Choices, section: string): number => Number(draw(choices, section));

/** One of the options, by the name that is drawn from the section. */
export const drawFrom = <Option>(
  choices: Choices,
  section: string,
  options: Record<string, Option>,
): Option => finder(section, Object.entries(options))(pickForm(choices, section));

/** The section's forms as they are written, each with its weight. */
export const weightedForms = (section: string): Forms['options'] => formsOf(section).options;

/** One of the section's forms as it is written. */
export function pickForm(choices: Choices, section: string): string {
  const { options, even } = formsOf(section);
  if (even === undefined) return choices.weighted(options);
  const [only = ''] = even;
  return even.length === 1 ? only : choices.pick(even);
}

const formsOf = memo((section): Forms => {
  const read = lines(section).map((text) => [text, readSlotLine(text)] as const);
  const drawnFirst = read.flatMap(([, slotLine]) => slotLine ?? []);
  const options = read.flatMap(([text, slotLine]) => (slotLine === undefined ? [readWeight(text)] : []));
  const isEven = options.every(([, weight]) => weight === options[0]?.[1]);
  return { drawnFirst, options, even: isEven ? options.map(([form]) => form) : undefined };
});

/** "3x text" weighs 3; a text without a number weighs 1. */
function readWeight(text: string): readonly [form: string, weight: number] {
  const [, weight = '1', form = text] = /^(\d+(?:\.\d+)?)x (.*)$/u.exec(text) ?? [];
  return [form === '_' ? '' : form, Number(weight)];
}

/** The line's slots and their form; none where it is no such line. */
export function readSlotLine(text: string): SlotLine | undefined {
  const [, names, form = ''] = /^([a-z][a-z ,-]*) = (.*)$/u.exec(text) ?? [];
  return names === undefined ? undefined : { names: names.split(', '), form };
}

/** The slots with those that the lines draw; several of a line have a part each, between colons. */
export function drawSlots(choices: Choices, slotLines: readonly SlotLine[], given: Slots): Slots {
  const slots = { ...given };
  for (const { names, form } of slotLines) {
    const text = compose(choices, form, slots);
    const parts = names.length === 1 ? [text] : text.split(': ');
    for (const [index, name] of names.entries()) slots[name] = parts[index] ?? '';
  }
  return slots;
}

const innermost = /\(([^(){}]*)\)|\{([^{}]+)\}/u;

/** The form with its choices made and its slots filled, from left to right and from the inside out. */
export function compose(choices: Choices, form: string, slots: Slots = {}): string {
  let text = form;
  for (let found = innermost.exec(text); found !== null; found = innermost.exec(text)) {
    const [whole, options, slot = ''] = found;
    const drawn = options === undefined ? drawSlot(choices, slot, slots) : choices.pick(options.split('|'));
    text = text.slice(0, found.index) + drawn + text.slice(found.index + whole.length);
  }
  return text;
}

/** The slot's content, or a number of the range `1..6`, or a text drawn from the section of this name. */
function drawSlot(choices: Choices, slot: string, slots: Slots): string {
  const held = valueOf(slot, slots);
  if (held !== undefined) return held;
  const { least, most, change, inner } = readSlot(slot);
  if (least !== undefined) return String(choices.integer(Number(least), Number(most)));
  if (inner === undefined) return draw(choices, slot, slots);
  const text = drawSlot(choices, inner, slots);
  if (change === undefined) return capitalize(text);
  return drawnChanges[change]?.(text, choices) ?? changeText(change, text) ?? '';
}

const drawnChanges: Readonly<Record<string, (text: string, choices: Choices) => string>> = {
  /** Each `X` becomes a capital letter and each `9` a digit. */
  marks: (text, choices) =>
    text.replaceAll(/[X9]/gu, (mark) =>
      mark === 'X' ? draw(choices, 'letters') : String(choices.integer(0, 9)),
    ),
  lengthened: (text, choices) => (text.length < 3 ? `${text}${draw(choices, 'word onsets')}o` : text),
  'start of': (name, choices) => name.slice(0, choices.integer(3, 5)).replace(/[aeiouy' -]+$/u, ''),
};
