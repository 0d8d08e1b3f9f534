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

/** Looks for the place in one answer where its grammar begins to apply. Each part of the answer is looked at once. */
export class ConstraintFinder {
  readonly #begins: AnswerConstraint['begins'];
  readonly #texts: readonly string[];
  readonly #longest: number;
  #searched = 0;
  /** Where the first trigger begins. */
  #start: number | undefined;

  constructor({ begins }: AnswerConstraint) {
    this.#begins = begins;
    this.#texts = begins === 'answer' ? [] : begins.filter(({ atStart }) => !atStart).map(({ text }) => text);
    this.#longest = Math.max(0, ...this.#texts.map(({ length }) => length));
  }

  /**
   * The part of the answer that the grammar has to be fed first, as it applies from there; undefined while it does not
   * apply yet. A trigger inside a thought counts where it ends the thought.
   */
  find(reader: TurnReader): string | undefined {
    if (reader.inThought) return undefined;
    if (this.#begins === 'answer') return reader.answer;
    const { answerLength } = reader;
    if (this.#start === undefined && answerLength > this.#searched && this.#texts.length > 0) {
      const last = reader.endOfAnswer(answerLength - this.#searched + this.#longest - 1);
      this.#searched = answerLength;
      const found = this.#texts.map((text) => last.indexOf(text)).filter((at) => at >= 0);
      if (found.length > 0) this.#start = answerLength - last.length + Math.min(...found);
    }
    if (this.#start !== undefined) return reader.endOfAnswer(answerLength - this.#start);
    // A plain answer may begin with a bracket too, so a call counts only once the name of a tool has followed. White
    // space before that name is layout; the grammar also accepts the text without it.
    return reader.callCount > 0 ? reader.answer.replaceAll(/\s/g, '') : undefined;
  }
}
