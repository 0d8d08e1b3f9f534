import type { Choices } from './choices.ts';
import { lines } from './data.ts';
import { pickForm } from './forms.ts';
import { capitalize } from './inflect.ts';
import { fill, type Slots } from './slots.ts';
import { misspell } from './typos.ts';

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

/** A form of the section with its choices made, and only then its slots filled: what they hold is left as it is. */
export const say = (choices: Choices, section: string, slots: Slots): string =>
  fill(vary(choices, pickForm(choices, section)), slots);

/** The text as somebody types it: with asides around it, with or without capitals and end mark, now and then a typo. */
export function typed(choices: Choices, text: string, { keepCase, statement }: Manner = {}): string {
  const surface = choices.weighted([
    ['neat', 60],
    ['unmarked', 14],
    ['casual', 20],
    ['lower', 6],
  ] as const);
  const misspelt = choices.chance(0.09) ? misspell(choices, text) : text;
  const whole = statement === true ? misspelt : withAsides(choices, misspelt, keepCase === true);
  const lower = keepCase === true ? uncapitalize(whole) : whole.toLowerCase();
  switch (surface) {
    case 'neat':
      return capitalize(whole);
    case 'unmarked':
      return capitalize(withoutEnd(whole));
    case 'casual':
      return withoutEnd(lower);
    case 'lower':
      return lower;
  }
}

/** The question, about half the time with words around or within it that do not change it. */
function withAsides(choices: Choices, question: string, keepCase: boolean): string {
  // A name at the start keeps its capital.
  const lowered = keepCase ? (text: string) => text : uncapitalize;
  const [led, filled, ended] = choices.weighted([
    [[false, false, false], 54],
    [[true, false, false], 24],
    [[false, true, false], 9],
    [[false, false, true], 7],
    [[true, true, false], 3],
    [[true, false, true], 3],
  ] as const);
  const inner = filled ? withFiller(choices, question) : question;
  const lead = led ? vary(choices, pickForm(choices, 'lead-ins'), { trimmed: false }) : '';
  const marked = /[.?!]$/.test(inner) ? inner : `${inner}.`;
  const started = led && /[.!?] $/.test(lead) && choices.chance(0.8) ? capitalize(inner) : lowered(inner);
  if (ended) return (led ? lead + lowered(marked) : capitalize(marked)) + capitalizedEnding(choices);
  return led ? lead + started : inner;
}

function capitalizedEnding(choices: Choices): string {
  return ` ${capitalize(vary(choices, choices.pick(lines('endings'))))}`;
}

/** "What exactly is …?", "…, by the way?"; other texts as they are. */
function withFiller(choices: Choices, question: string): string {
  if (!question.endsWith('?') || !asks.test(question)) return question;
  if (choices.chance(0.3))
    return question.replace(verbAfterAsking, `$1 ${choices.pick(lines('inner fillers'))} $2`);
  return question.replace(
    / ?\?$/,
    `${vary(choices, `x${choices.pick(lines('closing fillers'))}`).slice(1)}?`,
  );
}

const asks = /^(what|how|where|who|when|why|which|is|are|can|do|does|did|could|may|should|will)\b/i;
const verbAfterAsking = /^(what|how|where|when|why) (is|are|do|does|did|can|was|should|would|must)\b/i;

function uncapitalize(text: string): string {
  return /^(I\b|[A-Z]{2})/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function withoutEnd(text: string): string {
  return text.replace(/(?<=\S) ?[.?!]$/, '');
}
