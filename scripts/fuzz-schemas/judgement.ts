/** What the process that judges schemas says of one; CPU milliseconds of its thread. */
export type Judgement =
  | { readonly kind: 'ready' | 'done' }
  | {
      readonly kind: 'compiled';
      readonly compileMs: number;
      readonly parseMs: number;
      readonly steps: number;
      readonly gbnfChars: number;
    }
  | {
      readonly kind: 'refused';
      readonly compileMs: number;
      readonly steps: number;
      readonly code: string;
      readonly message: string;
    }
  /** A text of the grammar that is not valid. */
  | { readonly kind: 'invalid'; readonly text: string };
