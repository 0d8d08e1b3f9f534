import type { CharStream } from '../../text/char-stream.ts';
import type { ArgumentTypes } from '../argument-types.ts';

/** How it went to read a call or a part of one. */
export type ReadOutcome =
  | 'whole'
  /** The text ended inside it. */
  | 'cut'
  /** It holds a character that cannot stand there. */
  | 'malformed';

/** Where a reader of calls takes text from, and to what it passes what it finds. */
export interface CallReading {
  readonly chars: CharStream;
  /** Takes the tool's name; to be called once, before any argument. */
  begin(name: string): void;
  /** Takes the next piece of the arguments' JSON. */
  argumentsPiece(json: string): void;
  /** The types of the arguments of the tool with this name. */
  typesOf(name: string): ArgumentTypes;
}
