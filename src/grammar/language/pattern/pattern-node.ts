import type { CharSet } from '../../char-set.ts';

/** The pattern is not supported. The message says which part of it, and what to write instead. */
export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** A parsed pattern, or a part of one. */
export type PatternNode =
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternNode[] }
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
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
  switch (node.kind) {
    case 'chars':
      return false;
    case 'sequence':
      return node.parts.some(hasAssertion);
    case 'choice':
      return node.options.some(hasAssertion);
    case 'repeat':
      return hasAssertion(node.inner);
    case 'start':
    case 'end':
    case 'boundary':
    case 'look':
      return true;
  }
}

/** The least number of characters that `node` matches, and whether it can match any at all. */
export function consumption(node: PatternNode): { readonly least: number; readonly some: boolean } {
  switch (node.kind) {
    case 'chars':
      return { least: 1, some: true };
    case 'sequence': {
      const parts = node.parts.map(consumption);
      return {
        least: parts.reduce((sum, part) => sum + part.least, 0),
        some: parts.some((part) => part.some),
      };
    }
    case 'choice': {
      const options = node.options.map(consumption);
      return {
        least: Math.min(...options.map((option) => option.least)),
        some: options.some((option) => option.some),
      };
    }
    case 'repeat': {
      const inner = consumption(node.inner);
      return { least: inner.least * node.min, some: inner.some && node.max > 0 };
    }
    case 'start':
    case 'end':
    case 'boundary':
    case 'look':
      return { least: 0, some: false };
  }
}
