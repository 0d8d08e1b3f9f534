import type { CharSet } from './char-set.ts';

/**
 * A regular language over Unicode scalar values, as an expression with intersection and complement. Equal
 * expressions of one `Languages` are the same object.
 */
export type Language = { readonly id: number; readonly nullable: boolean } & (
  | { readonly op: 'chars'; readonly set: CharSet }
  | { readonly op: 'empty-text' }
  | { readonly op: 'concat'; readonly head: Language; readonly tail: Language }
  | { readonly op: 'either' | 'both'; readonly parts: readonly Language[] }
  | { readonly op: 'not'; readonly inner: Language }
  | { readonly op: 'repeat'; readonly inner: Language; readonly min: number; readonly max: number }
  | { readonly op: 'multiple'; readonly divisor: number; readonly remainder: number }
);

/** What a language says apart from its number and whether it holds the empty text. */
export type LanguageShape = Language extends infer L
  ? L extends Language
    ? Omit<L, 'id' | 'nullable'>
    : never
  : never;
