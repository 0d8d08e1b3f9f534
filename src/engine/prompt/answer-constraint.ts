import type { ToolTrigger } from './tools/tool-syntax.ts';
import type { TurnReader } from './turn-reader.ts';

/** A grammar for the model's answer, and the place in the answer where it begins to apply. */
export interface AnswerConstraint {
  readonly gbnf: string;
  /** `answer`: at the first token of the answer, after a thought if there is one. A list: at one of these texts. */
  readonly begins: 'answer' | readonly ToolTrigger[];
  /** Keywords of the request's schemas that are unknown and ignored; their paths begin with `schema` or `tools[i]`. */
  readonly ignored?: readonly string[];
}

/**
 * The part of the answer that the grammar has to be fed first, as it applies from there; undefined while it does not
 * apply yet. A trigger inside a thought does not count.
 */
export function constrainedFrom({ begins }: AnswerConstraint, reader: TurnReader): string | undefined {
  if (reader.inThought) return undefined;
  const { answer } = reader;
  if (begins === 'answer') return answer;
  const marked = begins.filter(({ atStart }) => atStart !== true).map(({ text }) => answer.indexOf(text));
  const found = marked.filter((at) => at >= 0);
  if (found.length > 0) return answer.slice(Math.min(...found));
  // A plain answer may begin with a bracket too, so a call counts only once the name of a tool has followed. White
  // space before that name is layout; the grammar also accepts the text without it.
  return reader.callCount > 0 ? answer.replaceAll(/\s/g, '') : undefined;
}
