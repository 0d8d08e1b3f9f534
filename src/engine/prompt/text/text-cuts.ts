/**
 * Markers such as <tool_call>, </s>, <|x|>, <|open|>x<|sep|>, ]<]x[>[<y>, [INST] or <｜x｜>, which must not be cut in two.
 */
const marker =
  /<\|(?:open|close)\|>\w+<\|sep\|>|(?:\]<\]\w+\[>\[)?<[^<>\s][^<>\n]{0,60}>|\[\/?[A-Z][A-Z_]*\]/g;

/** Where the last marker of `text` begins; 0 where it has none. */
export const lastMarkerAt = (text: string): number => [...text.matchAll(marker)].at(-1)?.index ?? 0;

/** The places around `at` where `text` can be cut without cutting a marker in two; both may be `at` itself. */
function cutsAround(text: string, at: number): { before: number; after: number } {
  for (const { index, 0: found } of text.matchAll(marker))
    if (index < at && at < index + found.length) return { before: index, after: index + found.length };
  return { before: at, after: at };
}

/** The longest common beginning of `a` and `b` that cuts no marker in two. */
export function commonBeginning(a: string, b: string): string {
  const { length } = sharedBeginning(a, b);
  return a.slice(0, Math.min(cutsAround(a, length).before, cutsAround(b, length).before));
}

export function sharedBeginning(a: string, b: string): string {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** The longest common end of `a` and `b` that cuts no marker in two. */
export function commonEnd(a: string, b: string): string {
  let length = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) length++;
  const fromA = a.length - cutsAround(a, a.length - length).after;
  const fromB = b.length - cutsAround(b, b.length - length).after;
  const shared = Math.min(fromA, fromB);
  return shared === 0 ? '' : a.slice(-shared);
}

/** `text` up to the end of its first marker, or its first word where that ends before a marker; '' for blank text. */
export function firstMarker(text: string): string {
  const trimmed = text.trimStart();
  const found = new RegExp(marker.source).exec(trimmed);
  const word = /^\S*/.exec(trimmed)?.[0] ?? '';
  if (found === null || found.index >= word.length) return word;
  return trimmed.slice(0, found.index + found[0].length);
}

/** The markers in `text`, one after the other, and the words between them. */
export function markersOf(text: string): string[] {
  const first = firstMarker(text);
  return first === '' ? [] : [first, ...markersOf(text.trimStart().slice(first.length))];
}
