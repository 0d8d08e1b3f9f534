import type { CharSet } from '../char-set.ts';

/**
 * A regular language: a set of texts, as a regular expression describes it. Here expressions may also hold `both` (the
 * texts in all parts) and `not` (all other texts). Equal expressions of one `Languages` are the same object. `nullable`
 * tells whether the empty text is in the language.
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

/** A language without the members that `Languages` adds. */
export type LanguageShape = Language extends infer L
  ? L extends Language
    ? Omit<L, 'id' | 'nullable'>
    : never
  : never;
