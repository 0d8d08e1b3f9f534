import type { Choices } from '../text/choices.ts';
import { compose, pickForm } from '../text/forms.ts';
import { capitalize } from '../text/inflect.ts';
import { fill, type Slots } from '../text/slots.ts';
import { slip } from '../text/wording.ts';

const asks =
  /^(what|whats|how|who|where|when|why|which|is|are|am|can|do|does|did|will|would|should|could)\b/iu;

const marks: Readonly<Record<string, string>> = {
  COPEN: '(',
  CCLOSE: ')',
  CBRACEEND: '}',
  CBRACE: '{',
  CTAG: '<',
  CEND: '>',
  HASH: '#',
  SMILE: ':)',
};

/** The text with the marks that forms cannot have themselves: `CBRACE` becomes `{`. */
export const withMarks = (text: string): string =>
  text.replaceAll(/COPEN|CCLOSE|CBRACEEND|CBRACE|CTAG|CEND|HASH|SMILE/gu, (mark) => marks[mark] ?? '');

/** A letter that no text has stands for each slot, so that neither case nor typing errors reach copied texts. */
const firstHolder = 0xe000;

/**
 * The form as a first message is typed: mostly in small letters and without a mark, at times with a typing error. The
 * contents of slots are left as they are.
 */
export function typeLoosely(choices: Choices, form: string, slots: Slots = {}): string {
  const held = Object.entries(slots).map(
    ([name, value], index) => [name, String.fromCharCode(firstHolder + index), value] as const,
  );
  const holders = Object.fromEntries(held.map(([name, holder]) => [name, holder]));
  const composed = withMarks(compose(choices, form, holders))
    .replaceAll(/ {2,}/gu, ' ')
    .trim();
  const slipped = choices.chance(0.13) ? slipSomewhere(choices, composed) : composed;
  const text = dress(choices, slipped);
  const named = Object.fromEntries(held.map(([, holder, value]) => [holder, value]));
  return text.replaceAll(/[\uE000-\uE0FF]/gu, (holder) => fill(`{${holder}}`, named));
}

function slipSomewhere(choices: Choices, text: string): string {
  const long = text.match(/\b[a-z]{4,}\b/giu) ?? [];
  if (long.length === 0) return text;
  const word = choices.pick(long);
  return text.replace(word, () => slip(choices, word));
}

function dress(choices: Choices, text: string): string {
  const surface = pickForm(choices, 'how first things are typed');
  const spelt = surface.includes('capital') ? capitalize(text.replaceAll(/\bi\b/gu, 'I')) : text;
  const isMarked = /[\p{P}\p{S}]$/u.test(spelt) || !/\p{L}/u.test(spelt);
  if (!surface.includes('mark') || isMarked) return spelt;
  return spelt + (asks.test(spelt) ? '?' : choices.pick(['.', '.', '!']));
}
