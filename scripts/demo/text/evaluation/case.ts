import type { Group, Message, Tool } from '../conversation.ts';

/** One held-out prompt and the test of a good answer to it. */
export interface EvaluationCase {
  readonly group: Group;
  readonly thinking?: boolean;
  readonly tools?: readonly Tool[];
  /** Asked for as `response_format`; the schema is not shown to the model. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /** Ends with a message of the user (or a tool); assistant messages in it are given, not generated. */
  readonly messages: readonly Message[];
  /** True when the answer is right. */
  readonly accepts: (answer: Answer) => boolean;
}

/** An answer of the model, read off the API. */
export interface Answer {
  /** Empty where the model only called tools. */
  readonly text: string;
  /** Empty where it did not think. */
  readonly thought: string;
  readonly toolCalls: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
}
