/**
 * What somebody may ask about hearth, and the answer. The texts are templates for `vary`, in which `{person}`,
 * `{model}` and `{id}` stand for any name of that kind. `frames.ts` has the sentences that they are put into.
 */
export interface HearthTopic {
  /** What somebody wants to do: "make a key". */
  readonly how?: string;
  /** A thing to have explained: "a plan". */
  readonly what?: string;
  /** A thing that is looked for: "the log files". */
  readonly where?: string;
  /** What somebody does not know, as a part of a sentence: "which port hearth uses". */
  readonly unsure?: string;
  /** What may be so or not: "hearth works offline". */
  readonly whether?: string;
  /** What somebody gets and does not understand: "a 429". */
  readonly trouble?: string;
  /** What happened, as a sentence without its mark; "what now?" is added. */
  readonly story?: string;
  /** Whole questions. */
  readonly questions?: readonly string[];
  readonly answer: string;
}
