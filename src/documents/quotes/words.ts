/**
 * Words as quotes are compared by: without regard to case, ligatures, apostrophes, and hyphens at which a line ends or
 * none does. Characters between words do not count. Scripts without spaces have a word for each character. Bounded, so
 * that a text without spaces is not one word.
 */
const alone = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}`;
const letters = String.raw`[[\p{L}\p{M}\p{N}]--[${alone}]]{1,64}`;
const joint = String.raw`['’ʼ‐‑\u00AD\-](?:[^\S\n]{0,8}\n\s{0,8})?`;
const word = String.raw`[${alone}]|${letters}(?:${joint}${letters}){0,8}`;

export const anyWord = new RegExp(word, 'gv');
/** The characters before a word, and the word; undefined: there is none, or it is far. */
export const gapAndWord = new RegExp(String.raw`([^\p{L}\p{M}\p{N}]{0,32})(${word})?`, 'vy');
/** The characters after a word where it may go on. */
export const mayGoOn = /^(?:['’ʼ‐‑\u00AD-]\s{0,17})?$/;

const plain = /^[a-z\d]+$/;

/** Equal for words that count as the same. */
export function keyOf(given: string): string {
  if (plain.test(given)) return given;
  return given
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/['’ʼ‐‑\u00AD\s-]/g, '');
}
