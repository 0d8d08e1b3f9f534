import { capitalize, plural, withAn } from './inflect.ts';
import { lines } from './data.ts';
import type { Choices } from './choices.ts';
import { isRefused } from './refusals.ts';

/** What the slots of a text are filled with. */
export type Slots = Readonly<Record<string, string | number>>;

/** The forms that a section offers, and what is drawn before one of them is chosen. */
interface Forms {
  readonly drawnFirst: readonly (readonly [slot: string, form: string])[];
  readonly options: readonly (readonly [form: string, weight: number])[];
  /** The forms alone where all weigh the same. */
  readonly even: readonly string[] | undefined;
}

const known = new Map<string, Forms>();

/** One of the section's forms, with everything in it drawn; again where a name or word must not come about. */
export function draw(choices: Choices, section: string, given: Slots = {}): string {
  const slots: Record<string, string | number> = { ...given };
  for (const [slot, form] of formsOf(section).drawnFirst) slots[slot] = compose(choices, form, slots);
  const text = compose(choices, pickForm(choices, section), slots);
  return isRefused(section, text) ? draw(choices, section, given) : text;
}

/** A number drawn from the section. */
export const drawCount = (choices: Choices, section: string): number => Number(draw(choices, section));

/** The section's forms as they are written, each with its weight. */
export function weightedForms(section: string): readonly (readonly [form: string, weight: number])[] {
  return formsOf(section).options;
}

/** One of the section's forms as it is written. */
export function pickForm(choices: Choices, section: string): string {
  const { options, even } = formsOf(section);
  if (even === undefined) return choices.weighted(options);
  const [only = ''] = even;
  return even.length === 1 ? only : choices.pick(even);
}

function formsOf(section: string): Forms {
  const found = known.get(section);
  if (found !== undefined) return found;
  const drawnFirst: (readonly [string, string])[] = [];
  const options: (readonly [string, number])[] = [];
  for (const text of lines(section)) {
    const [, slot, form = ''] = /^([a-z][a-z ]*) = (.*)$/u.exec(text) ?? [];
    if (slot === undefined) options.push(readWeight(text));
    else drawnFirst.push([slot, form]);
  }
  const isEven = options.every(([, weight]) => weight === options[0]?.[1]);
  const forms = { drawnFirst, options, even: isEven ? options.map(([form]) => form) : undefined };
  known.set(section, forms);
  return forms;
}

/** "3x text" weighs 3; a text without a number weighs 1. */
function readWeight(text: string): readonly [form: string, weight: number] {
  const [, weight = '1', form = text] = /^(\d+(?:\.\d+)?)x (.*)$/u.exec(text) ?? [];
  return [form === '_' ? '' : form, Number(weight)];
}

const innermost = /\(([^(){}]*)\)|\{([^{}]+)\}/u;

/** The form with its choices made and its slots filled, from left to right and from the inside out. */
export function compose(choices: Choices, form: string, slots: Slots = {}): string {
  let text = form;
  for (let found = innermost.exec(text); found !== null; found = innermost.exec(text)) {
    const [whole, options, slot = ''] = found;
    const drawn = options === undefined ? fillSlot(choices, slot, slots) : choices.pick(options.split('|'));
    text = text.slice(0, found.index) + drawn + text.slice(found.index + whole.length);
  }
  return text;
}

/** `{1..6}`: a number. `{change:slot}`: the slot, changed. `{Slot}`: it begins with a capital. Else it is given or drawn. */
function fillSlot(choices: Choices, slot: string, slots: Slots): string {
  const given = slots[slot];
  if (given !== undefined) return String(given);
  const [, least, most] = /^(-?\d+)\.\.(\d+)$/u.exec(slot) ?? [];
  if (least !== undefined) return String(choices.integer(Number(least), Number(most)));
  const [, name = '', inner] = /^([a-z ]+):(.+)$/u.exec(slot) ?? [];
  const change = changes[name];
  if (inner !== undefined && change !== undefined) return change(fillSlot(choices, inner, slots), choices);
  const lower = slot.charAt(0).toLowerCase() + slot.slice(1);
  return lower === slot ? draw(choices, slot) : capitalize(fillSlot(choices, lower, slots));
}

const changes: Readonly<Record<string, (text: string, choices: Choices) => string>> = {
  plural,
  lower: (text) => text.toLowerCase(),
  'two digits': (text) => text.padStart(2, '0'),
  'with an': withAn,
  /** Each `X` becomes a capital letter and each `9` a digit. */
  marks: (text, choices) =>
    text.replaceAll(/[X9]/gu, (mark) =>
      mark === 'X' ? draw(choices, 'letters') : String(choices.integer(0, 9)),
    ),
  lengthened: (text, choices) => (text.length < 3 ? `${text}${draw(choices, 'word onsets')}o` : text),
  'name in': (row) => (row.split(': ')[0] ?? '').replace(/^the /u, ''),
  'capital in': (row) => row.split(': ')[1] ?? '',
  'start of': (name, choices) => name.slice(0, choices.integer(3, 5)).replace(/[aeiouy' -]+$/u, ''),
};

/** The text with each `{slot}` filled that is given; `{Slot}` begins with a capital. */
export function fill(text: string, slots: Slots): string {
  return text.replaceAll(/\{([^{}]+)\}/gu, (slot, name: string) => {
    const value = slots[name] ?? slots[name.charAt(0).toLowerCase() + name.slice(1)];
    if (value === undefined) return slot;
    return name in slots ? String(value) : capitalize(String(value));
  });
}
