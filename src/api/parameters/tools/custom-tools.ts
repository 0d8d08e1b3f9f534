import { z } from 'zod';
import type { TextGrammar } from '../../../engine/types.ts';
import type { OfferedFunction } from './tool-use.ts';

/** Those that clients send have a few hundred characters. */
const maxGrammarChars = 16_384;

/** The fields of a grammar for the text that a custom tool takes. */
export const textGrammarFields = {
  syntax: z.enum(['lark', 'regex']),
  definition: z.string().min(1).max(maxGrammarChars),
};

/** A tool that takes free text instead of named arguments. */
interface CustomTool extends Pick<OfferedFunction, 'name' | 'description' | 'path'> {
  readonly grammar?: TextGrammar | undefined;
}

/** The function that the model sees in place of `tool`: its only argument is the text. */
export function toTextFunction({ grammar, ...tool }: CustomTool): OfferedFunction {
  const says =
    grammar === undefined
      ? 'The text for this tool.'
      : `The text for this tool. It must match this ${grammarNames[grammar.syntax]}:\n${grammar.definition.toWellFormed()}`;
  return {
    ...tool,
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: says } },
      required: ['input'],
      additionalProperties: false,
    },
    inputGrammar: grammar,
  };
}

const grammarNames = { lark: 'Lark grammar', regex: 'regular expression' } as const;

/** The arguments of a call of such a function. */
export function toTextArguments(input: string): string {
  return JSON.stringify({ input: input.toWellFormed() });
}

const beginning = /^\s*\{\s*"input"\s*:\s*"/;
/** Characters and whole escapes. An escaped half of a surrogate pair waits for the other one. */
const complete =
  /^(?:[^"\\]|\\[^u]|\\u(?![dD][89abAB])[\da-fA-F]{4}|\\u[dD][89abAB][\da-fA-F]{2}(?:\\u[\da-fA-F]{4}|(?=[^\\]|\\[^u])))*/;

/** The pattern needs room for each character: of 16 million there is none. */
const sliceChars = 65_536;

/** Reads the text in the arguments of a call of such a function while these are written. */
export class TextInputReader {
  #unread = '';
  #state: 'before' | 'inside' | 'after' = 'before';

  /** The text that `piece`, the next piece of the arguments, completes. */
  read(piece: string): string {
    let text = '';
    for (let at = 0; at < piece.length; at += sliceChars)
      text += this.#readSlice(piece.slice(at, at + sliceChars));
    return text;
  }

  #readSlice(piece: string): string {
    if (this.#state === 'after') return '';
    this.#unread += piece;
    if (this.#state === 'before') {
      const [begin] = beginning.exec(this.#unread) ?? [];
      if (begin === undefined) return '';
      this.#unread = this.#unread.slice(begin.length);
      this.#state = 'inside';
    }
    const [text = ''] = complete.exec(this.#unread) ?? [];
    this.#unread = this.#unread.slice(text.length);
    if (this.#unread.startsWith('"')) this.#state = 'after';
    return JSON.parse(`"${text}"`) as string;
  }
}
