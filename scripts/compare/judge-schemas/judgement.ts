/** A document, and whether it is valid against the schema it comes with. */
export interface Instance {
  readonly data: unknown;
  readonly valid: boolean;
}

/** A question to the process that judges schemas. */
export interface JudgeJob {
  readonly schema: unknown;
  /** The same schema in words that validators know, where they do not know its own. */
  readonly equivalent?: unknown;
  /** How many texts of the grammar the validators see. */
  readonly samples: number;
  /** Documents that the grammar is asked about. */
  readonly instances: readonly Instance[];
}

/** Its answer about one schema; CPU milliseconds of its thread. */
export type Judgement =
  | { readonly kind: 'ready' | 'done' }
  | {
      readonly kind: 'compiled';
      readonly compileMs: number;
      readonly parseMs: number;
      readonly steps: number;
      readonly ignored: number;
    }
  | {
      readonly kind: 'refused';
      readonly compileMs: number;
      readonly steps: number;
      readonly code: string;
      readonly message: string;
    }
  /** How many texts of the grammar a validator read. */
  | { readonly kind: 'sampled'; readonly by: string; readonly texts: number }
  /** A text of the grammar that is not valid. */
  | { readonly kind: 'invalid'; readonly by: string; readonly text: string }
  /** An instance, and whether the grammar takes it. */
  | { readonly kind: 'asked'; readonly valid: boolean; readonly accepted: boolean; readonly text: string };
