import type { ToolTrigger } from './tools/tool-syntax.ts';
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
  const { answer } = reader;
  if (begins === 'answer') return answer;
  const marked = begins.filter(({ atStart }) => atStart !== true).map(({ text }) => answer.indexOf(text));
  const found = marked.filter((at) => at >= 0);
  if (found.length > 0) return answer.slice(Math.min(...found));
  // Any answer may begin with a bracket: only when the name of a tool stands behind it is it known for a call. What
  // white space there is up to then is layout, of which the grammar takes none too.
  return reader.callCount > 0 ? answer.replaceAll(/\s/g, '') : undefined;
}
