import type { Choices } from './choices.ts';
import { lines, pairs } from './data.ts';
import { pickForm } from './forms.ts';
import { capitalize, lowerFirst } from './inflect.ts';
import { fill, type Slots } from './slots.ts';

export interface Manner {
  /** Letter case carries meaning, as in a name that the answer copies. */
  readonly keepCase?: boolean;
  /** A statement or greeting: no "Quick question:" before it. */
  readonly statement?: boolean;
}

/** The template with one option chosen for each `(a|b|c)`; groups may be nested, options may be empty. */
export function vary(choices: Choices, template: string, { trimmed = true } = {}): string {
  let text = template;
  while (text.includes('('))
    text = text.replace(/\(([^()]*)\)/, (_, options: string) => choices.pick(options.split('|')));
  const tidy = text.replaceAll(/ {2,}/g, ' ').replaceAll(/ ([.?,])/g, '$1');
  return trimmed ? tidy.trim() : tidy;
}

/** A form of the section with its choices made, and only then its slots filled: their texts are left as they are. */
export const say = (choices: Choices, section: string, slots: Slots): string =>
  fill(vary(choices, pickForm(choices, section)), slots);

/** The text as somebody types it: with asides around it, with or without capitals and end mark, now and then a typo. */
export function typed(choices: Choices, text: string, { keepCase, statement }: Manner = {}): string {
  const surface = pickForm(choices, 'how texts are typed');
  const misspelt = choices.chance(0.09) ? misspell(choices, text) : text;
  const whole = statement === true ? misspelt : withAsides(choices, misspelt, keepCase === true);
  const lower = keepCase === true ? uncapitalize(whole) : whole.toLowerCase();
  const cased = surface.includes('capital') ? capitalize(whole) : lower;
  return surface.includes('mark') ? cased : cased.replace(/(?<=\S) ?[.?!]$/, '');
}

/** The question, about half the time with words around or within it that do not change it. */
function withAsides(choices: Choices, question: string, keepCase: boolean): string {
  // A name at the start keeps its capital.
  const lowered = keepCase ? (text: string) => text : uncapitalize;
  const asides = pickForm(choices, 'asides around a question');
  const inner = asides.includes('filler') ? withFiller(choices, question) : question;
  const isLed = asides.includes('lead');
  const lead = isLed ? vary(choices, pickForm(choices, 'lead-ins'), { trimmed: false }) : '';
  const marked = /[.?!]$/.test(inner) ? inner : `${inner}.`;
  const started = isLed && /[.!?] $/.test(lead) && choices.chance(0.8) ? capitalize(inner) : lowered(inner);
  if (!asides.includes('ending')) return isLed ? lead + started : inner;
  const ending = capitalize(vary(choices, choices.pick(lines('endings'))));
  return `${isLed ? lead + lowered(marked) : capitalize(marked)} ${ending}`;
}

/** "What exactly is …?", "…, by the way?"; other texts as they are. */
function withFiller(choices: Choices, question: string): string {
  if (!question.endsWith('?') || !asks.test(question)) return question;
  if (choices.chance(0.3))
    return question.replace(verbAfterAsking, `$1 ${choices.pick(lines('inner fillers'))} $2`);
  const filler = vary(choices, choices.pick(lines('closing fillers')), { trimmed: false });
  return question.replace(/ ?\?$/, `${filler}?`);
}

const asks = /^(what|how|where|who|when|why|which|is|are|can|do|does|did|could|may|should|will)\b/i;
const verbAfterAsking = /^(what|how|where|when|why) (is|are|do|does|did|can|was|should|would|must)\b/i;

const uncapitalize = (text: string): string => (/^(I\b|[A-Z]{2})/.test(text) ? text : lowerFirst(text));

/** Words in which typing goes wrong; none is ever a word to be copied or spelled. */
export const mistyped: ReadonlySet<string> = new Set(lines('mistyped words'));

/** Words and their misspellings; they are found in any letter case where they are listed in small letters. */
const misspellings = pairs('misspellings').map(
  ([right, wrong]) => [new RegExp(`\\b${right}\\b`, /[A-Z]/u.test(right) ? '' : 'i'), wrong] as const,
);

/** The text with a usual mistake, or with one in a word that is often mistyped, where there is one. */
function misspell(choices: Choices, text: string): string {
  const possible = misspellings.filter(([right]) => right.test(text));
  if (possible.length > 0 && choices.chance(0.5)) {
    const [right, wrong] = choices.pick(possible);
    return text.replace(right, wrong);
  }
  const slips = (text.match(/\b[a-z]{3,}\b/gi) ?? []).filter((word) => mistyped.has(word.toLowerCase()));
  if (slips.length === 0) return text;
  const word = choices.pick(slips);
  return text.replace(new RegExp(`\\b${word}\\b`), slip(choices, word));
}

/** The word with one letter left out, doubled, or changed over with the next. */
export function slip(choices: Choices, word: string): string {
  const at = choices.integer(1, word.length - 2);
  const [letter, next] = [word.charAt(at), word.charAt(at + 1)];
  const middle = choices.pick([next, letter + letter + next, next + letter, next + letter]);
  return word.slice(0, at) + middle + word.slice(at + 2);
}
