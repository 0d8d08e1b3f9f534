import type { CharSet } from '../../char-set.ts';

/** The pattern is not supported. The message says which part of it, and what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** A parsed pattern, or a part of one. */
export type PatternNode =
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'repeat'; readonly inner: PatternNode; readonly min: number; readonly max: number }
  | { readonly kind: 'start' | 'end' }
  | { readonly kind: 'boundary'; readonly negative: boolean }
  | {
      readonly kind: 'look';
      readonly inner: PatternNode;
      readonly negative: boolean;
      /** True for a lookbehind. */
      readonly behind: boolean;
    };

/** Whether `node` holds an anchor, a boundary, a lookahead or a lookbehind, which depend on the text around them. */
export function hasAssertion(node: PatternNode): boolean {
  if (node.kind === 'chars') return false;
  if (node.kind === 'repeat') return hasAssertion(node.inner);
  return 'parts' in node ? node.parts.some(hasAssertion) : true;
}

/** The least number of characters that `node` matches, and whether it can match any at all. */
export function consumption(node: PatternNode): { readonly least: number; readonly some: boolean } {
  if (node.kind === 'chars') return { least: 1, some: true };
  if (node.kind === 'repeat') {
    const inner = consumption(node.inner);
    return { least: inner.least * node.min, some: inner.some && node.max > 0 };
  }
  if (!('parts' in node)) return { least: 0, some: false };
  const parts = node.parts.map(consumption);
  const leasts = parts.map(({ least }) => least);
  return {
    least: node.kind === 'choice' ? Math.min(...leasts) : leasts.reduce((sum, least) => sum + least, 0),
    some: parts.some(({ some }) => some),
  };
}
