/** A marker such as <tool_call>, </s>, <|x|>, [INST] or <｜x｜>: what must not be cut in the middle. */
const marker = /<[^<>\s][^<>\n]{0,60}>|\[\/?[A-Z][A-Z_]*\]/g;

/** Where `text` may be cut at or before `at` without cutting a marker in two. */
export function cutBefore(text: string, at: number): number {
  for (const { index, 0: found } of text.matchAll(marker))
    if (index < at && at < index + found.length) return index;
  return at;
}

/** Where `text` may be cut at or after `at` without cutting a marker in two. */
export function cutAfter(text: string, at: number): number {
  for (const { index, 0: found } of text.matchAll(marker))
    if (index < at && at < index + found.length) return index + found.length;
  return at;
}

/** The longest beginning of both that cuts no marker of either. */
export function commonBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, Math.min(cutBefore(a, length), cutBefore(b, length)));
}

/** The longest end of both that cuts no marker of either. */
export function commonEnd(a: string, b: string): string {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  const fromA = a.length - cutAfter(a, a.length - length);
  const fromB = b.length - cutAfter(b, b.length - length);
  const shared = Math.min(fromA, fromB);
  return shared === 0 ? '' : a.slice(-shared);
}

/** The first marker of `text`, or its first word where none comes before that ends; '' for blank text. */
export function firstMarker(text: string): string {
  const trimmed = text.trimStart();
  const found = new RegExp(marker.source).exec(trimmed);
  const word = /^\S*/.exec(trimmed)?.[0] ?? '';
  if (found === null || found.index >= word.length) return word;
  return trimmed.slice(0, found.index + found[0].length);
}
