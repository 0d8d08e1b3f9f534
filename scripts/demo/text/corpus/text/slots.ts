import { hasSection, lines, memo, rows } from './data.ts';
import { capitalize, lowerFirst, plural, withAn } from './inflect.ts';

/** Contents of a text's slots, by the slot's name; a function draws them, each time anew. */
export type Slots = Readonly<Record<string, string | number | (() => string)>>;

/** The text with each `{slot}` filled that holds something. */
export const fill = (text: string, slots: Slots): string =>
  text.replaceAll(/\{([^{}]+)\}/gu, (slot, name: string) => valueOf(name, slots) ?? slot);

/** The parts of a slot: `one + other`, `change:inner`, `1..6`, or `inner` with a capital letter. */
export const readSlot = memo((slot) => {
  const [, left = '', sign, right = ''] = /^([\w ]+) ([-+*/%]) ([\w ]+)$/u.exec(slot) ?? [];
  const [, change, inner = lowerFirst(slot)] = /^([a-z ]+):(.+)$/u.exec(slot) ?? [];
  const [, least, most] = /^(-?\d+)\.\.(\d+)$/u.exec(slot) ?? [];
  return { left, sign, right, change, inner: inner === slot ? undefined : inner, least, most };
});

/** The text for `{slot}`, `{Slot}`, `{one + other}` or `{change:slot}`; none where it is to be drawn. */
export function valueOf(slot: string, slots: Slots): string | undefined {
  const given = slots[slot];
  if (typeof given === 'function') return given();
  if (given !== undefined) return String(given);
  const { left, sign, right, change, inner } = readSlot(slot);
  if (sign !== undefined)
    return String(operations[sign]?.(Number(slots[left] ?? left), Number(slots[right] ?? right)));
  const value = inner === undefined ? undefined : valueOf(inner, slots);
  if (value === undefined) return undefined;
  return change === undefined ? capitalize(value) : changeText(change, value);
}

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => Math.floor(left / right),
  '%': (left, right) => left % right,
};

const isPluralPlace = (place: string): boolean =>
  /^the (Neth|Phil|United S|United A|Mald|Sey|Bah)/u.test(place);

const articleOf = (noun: string): string => (/^[aeio]/iu.test(noun) ? 'an' : 'a');

const changes: Readonly<Record<string, (text: string) => string>> = {
  plural,
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  'two digits': (text) => text.padStart(2, '0'),
  'in words': (number) => lines('numbers up to a hundred')[Number(number)] ?? '',
  a: articleOf,
  an: (noun) => `${articleOf(noun)} ${noun}`,
  'an with u': (noun) => `${/^[aeiou]/u.test(noun) ? 'an' : 'a'} ${noun}`,
  singular: (noun) => changeText('irregular singulars', noun) || noun.replace(/s$/u, ''),
  'plural by sound': (noun) => `${noun}${/(?:s|x|z|sh|ch)$/u.test(noun) ? 'es' : 's'}`,
  'with an': withAn,
  'without article': (noun) => noun.replace(/^an? /u, ''),
  'owner of': (name) => (name.endsWith('s') ? `${name}'` : `${name}'s`),
  'verbs of': (place) => (isPluralPlace(place) ? 'are: do: lie: belong' : 'is: does: lies: belongs'),
  'first half of': (word) => word.slice(0, Math.ceil(word.length / 2)),
  'last half of': (word) => word.slice(Math.ceil(word.length / 2)),
  'name in': (row) => (row.split(': ')[0] ?? '').replace(/^the /u, ''),
  'capital in': (row) => row.split(': ')[1] ?? '',
};

/** The text with this change, or as the table of this name has it, where `~` stands for the text; none for other names. */
export function changeText(name: string, text: string): string | undefined {
  if (changes[name] !== undefined) return changes[name](text);
  if (!hasSection(name)) return undefined;
  const table = rows(name);
  const [, ...cells] = table.find(([key]) => key === text) ?? table.find(([key]) => key === 'else') ?? [];
  return cells.join(': ').replaceAll('~', text);
}
