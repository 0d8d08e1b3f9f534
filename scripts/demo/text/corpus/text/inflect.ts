import { lines, rows } from './data.ts';

/** Verb: with -ing: participle. */
const irregular = new Map(rows('irregular verbs').map(([verb = '', ...forms]) => [verb, forms]));
const doubled = new Set(lines('verbs of deeds that double their last letter'));

const isShort = (verb: string): boolean => /^(?:[^aeiou]*|qu)[aeiou][^aeiouwxy]$/u.test(verb);

/** "water the lawn" from "water": the verb's first word changes, a particle stays. */
function changeFirst(verb: string, change: (word: string) => string): string {
  const [first = '', ...rest] = verb.split(' ');
  return [change(first), ...rest].join(' ');
}

/** "feeding", "turning on". */
export const gerund = (verb: string): string =>
  changeFirst(verb, (word) => {
    const [known] = irregular.get(word) ?? [];
    const stem = isShort(word) ? word + word.at(-1) : word.replace(/(?<=[^eoy])e$/u, '');
    return known ?? `${stem}ing`;
  });

/** The deed as a noun: "making a key" of "make a key". */
export const gerundOfDeed = (deed: string): string =>
  changeFirst(deed, (verb) => {
    if (doubled.has(verb)) return `${verb}${verb.at(-1)}ing`;
    if (/^(tie|die|lie)$/u.test(verb)) return `${verb.slice(0, -2)}ying`;
    return verb === 'be' ? 'being' : `${verb.replace(/(?<=[^eo])e$/u, '')}ing`;
  });

/** "fed", "turned on". */
export const participle = (verb: string): string =>
  changeFirst(verb, (word) => {
    const [, known] = irregular.get(word) ?? [];
    if (known !== undefined) return known;
    if (isShort(word)) return `${word}${word.at(-1)}ed`;
    if (word.endsWith('e')) return `${word}d`;
    return /[^aeiou]y$/u.test(word) ? `${word.slice(0, -1)}ied` : `${word}ed`;
  });

/** "feeds", "catches", "tidies". */
export const thirdPerson = (verb: string): string => changeFirst(verb, plural);

/** "lions", "boxes", "ferries". */
export function plural(word: string): string {
  if (/[^aeiou]y$/u.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}${/(?:s|sh|ch|x|z)$/u.test(word) || /[^aeiou]o$/u.test(word) ? 'es' : 's'}`;
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** "an apple" for "a apple", wherever it stands. */
export const withArticles = (text: string): string =>
  text.replaceAll(/\b([Aa]) (?=[aeiou])(?!un[i]|us[e]|eu|one)/gu, '$1n ');

/** "an apple" for the first "a apple" within the text. */
export const withAn = (text: string): string => text.replace(/ a (?=[aeio])/u, ' an ');

/** The text with a full stop, unless it ends with a mark of its own. */
export const withStop = (text: string): string => (/[.?!]$/u.test(text) ? text : `${text}.`);

/** "a, b and c". */
export function joinWords(parts: readonly string[]): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}
