import { firstMarker } from '../text/text-cuts.ts';

/** The tags around a model's thoughts. */
export interface ThoughtTags {
  /** White space at its beginning is written into prompts, but answers may lack it. */
  readonly begin: string;
  /** With the opening of the answer's message, where thought and answer are messages of their own. */
  readonly end: string;
}

/** `channels`: thoughts are messages of their own (gpt-oss). */
export type ThoughtSyntax =
  | { readonly kind: 'tags'; readonly tags: ThoughtTags }
  | { readonly kind: 'channels' };

/** The markers around plain answers but not around calls, such as Cohere's <|START_TEXT|>; '' for none. */
export interface AnswerMarkers {
  readonly begin: string;
  readonly end: string;
  /** The text behind `end`, and behind calls as well, before the model ends its turn. */
  readonly rest: string;
  /** True when a prompt that does not end in a thought ends with `begin`. */
  readonly opened: boolean;
}

export const noMarkers: AnswerMarkers = { begin: '', end: '', rest: '', opened: false };

/** Whether the end of a thought is a token of its own, which no prose holds. */
export const isControl = ({ end }: ThoughtTags): boolean => firstMarker(end) === end && end.endsWith('|>');

/** Line breaks as templates write them around a thought; none where thought and answer are messages of their own. */
export const gapAround = ({ end }: ThoughtTags, lines: '\n' | '\n\n'): string =>
  firstMarker(end) === end ? lines : '';

/** Whether `text` ends with a thought that is over. */
export function endsClosed(text: string, tags: ThoughtTags): boolean {
  // The end of a message alone is also the end of other messages.
  const closed = gapAround(tags, '\n') === '' ? tags.begin + tags.end : tags.end;
  return text.trimEnd().endsWith(closed);
}

/** Every pair that templates and model cards are known to use; those of few models come first. */
export const knownThoughtTags: readonly ThoughtTags[] = [
  { begin: '<|open|>think<|sep|>', end: '<|close|>think<|sep|>' },
  { begin: ' to=self<|message|>', end: '<|eom|><|start|>assistant' },
  { begin: '<|think|>', end: '<|end|><|begin|>assistant' },
  { begin: '<mm:think>', end: '</mm:think>' },
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
  { begin: 'Here are my reasoning steps:', end: '[BEGIN FINAL RESPONSE]' },
  { begin: '<think>', end: '</think>' },
];

/**
 * `text` without an empty thought at its beginning, or without the end tag of a thought that began earlier; in the tags
 * of `own`, or in known ones.
 */
export function withoutEmptyThought(text: string, own: ThoughtTags | undefined): string {
  const trimmed = text.trimStart();
  for (const { begin, end } of own ? [own, ...knownThoughtTags] : knownThoughtTags) {
    if (trimmed.startsWith(end)) return trimmed.slice(end.length);
    if (!trimmed.startsWith(begin.trimStart())) continue;
    const inside = trimmed.slice(begin.trimStart().length).trimStart();
    if (inside.startsWith(end)) return inside.slice(end.length);
  }
  return text;
}
