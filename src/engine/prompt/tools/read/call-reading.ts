import type { CharStream } from '../../text/char-stream.ts';
import type { ArgumentTypes } from '../argument-types.ts';

/** How the reading of a call, or of a part of it, went. */
export type ReadOutcome =
  | 'whole'
  /** The text ended inside. */
  | 'cut'
  /** Something stands where it cannot. */
  | 'malformed';

/** Where a reader of calls takes text from and puts what it finds. */
export interface CallReading {
  readonly chars: CharStream;
  /** Called once, before any argument. */
  begin(name: string): void;
  /** The next piece of the JSON text of the arguments. */
  argumentsPiece(json: string): void;
  /** Types of the arguments of the tool with this name. */
  typesOf(name: string): ArgumentTypes;
}
