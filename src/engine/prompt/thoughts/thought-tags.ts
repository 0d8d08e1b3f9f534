/** What a model writes around its thoughts, without white space at the edges. */
export interface ThoughtTags {
  readonly begin: string;
  readonly end: string;
}

/** Every pair that templates and model cards are known to use; those of few models come first. */
export const knownThoughtTags: readonly ThoughtTags[] = [
  { begin: '<|START_THINKING|>', end: '<|END_THINKING|>' },
  { begin: '<|channel>thought', end: '<channel|>' },
  { begin: '<|inner_prefix|>', end: '<|inner_suffix|>' },
  { begin: '<seed:think>', end: '</seed:think>' },
  { begin: '[THINK]', end: '[/THINK]' },
  { begin: '◁think▷', end: '◁/think▷' },
  { begin: '<|begin_of_thought|>', end: '<|end_of_thought|>' },
  { begin: '<thinking>', end: '</thinking>' },
  { begin: '<thought>', end: '</thought>' },
  { begin: '<reasoning>', end: '</reasoning>' },
  { begin: '<think>', end: '</think>' },
];

/** `text` without an empty thought at its beginning, or without the end tag of a thought that began earlier. */
export function withoutEmptyThought(text: string): string {
  const trimmed = text.trimStart();
  for (const { begin, end } of knownThoughtTags) {
    if (trimmed.startsWith(end)) return trimmed.slice(end.length);
    if (!trimmed.startsWith(begin)) continue;
    const inside = trimmed.slice(begin.length).trimStart();
    if (inside.startsWith(end)) return inside.slice(end.length);
  }
  return text;
}
