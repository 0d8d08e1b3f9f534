import type { TurnReader } from './turn-reader.ts';

/** A grammar for the model's answer, and the place in the answer where it begins to apply. */
export interface AnswerConstraint {
  readonly gbnf: string;
  /** `answer`: at the first token of the answer, after a thought if there is one. `calls`: where a call begins. */
  readonly begins: 'answer' | 'calls';
  /** Keywords of the request's schemas that are unknown and ignored; their paths begin with `schema` or `tools[i]`. */
  readonly ignored?: readonly string[];
}

/**
 * The part of the answer that the grammar has to be fed first, as it applies from there; undefined while it does not
 * apply yet. A call inside a thought counts where it ends the thought.
 */
export function constrainedText({ begins }: AnswerConstraint, reader: TurnReader): string | undefined {
  if (reader.inThought) return undefined;
  if (begins === 'answer') return reader.answer;
  // A plain answer may begin with a bracket too, so a call without a marker counts only once the name of a tool has
  // followed. White space before that name is layout; the grammar also accepts the text without it.
  return reader.fromFirstCall ?? (reader.callCount > 0 ? reader.answer.replaceAll(/\s/g, '') : undefined);
}
