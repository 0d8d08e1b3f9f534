import type { CharSet } from '../language/char-set.ts';

/** The body of a grammar rule, or a part of it. */
export type Expression =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'ref'; readonly rule: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  /** A choice without options matches no text at all, and neither does a sequence that holds one. */
  | { readonly kind: 'choice'; readonly options: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly inner: Expression; readonly min: number; readonly max: number };

export const nothing: Expression = { kind: 'choice', options: [] };
export const emptyText: Expression = { kind: 'sequence', parts: [] };

export const literal = (text: string): Expression => (text === '' ? emptyText : { kind: 'literal', text });
export const charClass = (set: CharSet): Expression => ({ kind: 'chars', set });
export const ref = (rule: string): Expression => ({ kind: 'ref', rule });

export const isNothing = (expression: Expression): boolean =>
  expression.kind === 'choice' && expression.options.length === 0;

export const isEmptyText = (expression: Expression): boolean =>
  expression.kind === 'sequence' && expression.parts.length === 0;

export function sequence(...parts: readonly Expression[]): Expression {
  const flat: Expression[] = [];
  for (const part of parts) {
    if (isNothing(part)) return nothing;
    for (const step of part.kind === 'sequence' ? part.parts : [part]) {
      const last = flat.at(-1);
      if (step.kind === 'literal' && last?.kind === 'literal')
        flat[flat.length - 1] = { kind: 'literal', text: last.text + step.text };
      else flat.push(step);
    }
  }
  const [only] = flat;
  return only !== undefined && flat.length === 1 ? only : { kind: 'sequence', parts: flat };
}

export function choice(options: readonly Expression[]): Expression {
  const flat = options.flatMap((option) => (option.kind === 'choice' ? option.options : [option]));
  const [only] = flat;
  return only !== undefined && flat.length === 1 ? only : { kind: 'choice', options: flat };
}

/** `inner` repeated; at most 1,000 times, as llama.cpp's limit of 2,000 also counts the rules inside of a group. */
export function repeat(inner: Expression, min: number, max: number): Expression {
  if (max === 0) return emptyText;
  if (isNothing(inner)) return min === 0 ? emptyText : nothing;
  if (min === 1 && max === 1) return inner;
  return { kind: 'repeat', inner, min, max };
}

/** The number of parts of `expression`, and about how many characters its text has. */
export function sizeOf(expression: Expression): { readonly parts: number; readonly chars: number } {
  switch (expression.kind) {
    case 'literal':
      return { parts: 1, chars: expression.text.length + 3 };
    case 'chars':
      return { parts: 1, chars: 4 * expression.set.length };
    case 'ref':
      return { parts: 1, chars: expression.rule.length + 1 };
    case 'repeat': {
      const inner = sizeOf(expression.inner);
      return { parts: inner.parts + 1, chars: inner.chars + 4 };
    }
    case 'sequence':
    case 'choice': {
      let [parts, chars] = [1, 0];
      for (const one of expression.kind === 'sequence' ? expression.parts : expression.options) {
        const size = sizeOf(one);
        parts += size.parts;
        chars += size.chars + 2;
      }
      return { parts, chars };
    }
  }
}

/** How many copies of parts llama.cpp makes to write out the bounded repetitions of `expression`. */
export function copiesIn(expression: Expression): number {
  switch (expression.kind) {
    case 'literal':
    case 'chars':
    case 'ref':
      return 0;
    case 'sequence':
      return expression.parts.reduce((sum, part) => sum + copiesIn(part), 0);
    case 'choice':
      return expression.options.reduce((sum, option) => sum + copiesIn(option), 0);
    case 'repeat': {
      const times = expression.max === Infinity ? expression.min : expression.max;
      return times * (1 + copiesIn(expression.inner));
    }
  }
}

/** The names of the rules that `expression` refers to. */
export function referencedRules(expression: Expression, found: Set<string> = new Set()): Set<string> {
  switch (expression.kind) {
    case 'literal':
    case 'chars':
      return found;
    case 'ref':
      return found.add(expression.rule);
    case 'sequence':
      for (const part of expression.parts) referencedRules(part, found);
      return found;
    case 'choice':
      for (const option of expression.options) referencedRules(option, found);
      return found;
    case 'repeat':
      return referencedRules(expression.inner, found);
  }
}
