import type { ToolTrigger } from './tool-syntax.ts';
import type { TurnReader } from './turn-reader.ts';

/** A grammar for what the model answers, and from where on it holds. */
export interface AnswerConstraint {
  readonly gbnf: string;
  /** `answer`: from its first token, behind a thought if there is one; else where one of these texts came. */
  readonly begins: 'answer' | readonly ToolTrigger[];
}

/**
 * The text of the answer that the grammar has to take in first, now that it begins; undefined: it does not yet.
 * A trigger inside a thought is a thought.
 */
export function constrainedFrom({ begins }: AnswerConstraint, reader: TurnReader): string | undefined {
  if (reader.inThought) return undefined;
  if (begins === 'answer') return reader.answer;
  const { answer } = reader;
  let first = -1;
  for (const { text, atStart } of begins) {
    const at = answer.indexOf(text);
    if (at < 0 || (atStart === true && answer.slice(0, at).trim() !== '')) continue;
    if (first < 0 || at < first) first = at;
  }
  return first < 0 ? undefined : answer.slice(first);
}
