import type { CharSet } from '../char-set.ts';

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

/** The expressions that `expression` is made of. */
export function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'chars':
    case 'ref':
      return [];
    case 'sequence':
      return expression.parts;
    case 'choice':
      return expression.options;
    case 'repeat':
      return [expression.inner];
  }
}

/** The number of parts of `expression`, and about how many characters its text has. */
export function sizeOf(expression: Expression): { readonly parts: number; readonly chars: number } {
  let [parts, chars] = [1, 0];
  if (expression.kind === 'literal') chars = expression.text.length + 3;
  if (expression.kind === 'chars') chars = 4 * expression.set.length;
  if (expression.kind === 'ref') chars = expression.rule.length + 1;
  for (const part of partsOf(expression)) {
    const size = sizeOf(part);
    parts += size.parts;
    chars += size.chars + 3;
  }
  return { parts, chars };
}

/** How many copies of parts llama.cpp makes to write out the bounded repetitions of `expression`. */
export function copiesIn(expression: Expression): number {
  const inner = partsOf(expression).reduce((sum, part) => sum + copiesIn(part), 0);
  if (expression.kind !== 'repeat') return inner;
  return (expression.max === Infinity ? expression.min : expression.max) * (1 + inner);
}

/** The names of the rules that `expression` refers to. */
export function referencedRules(expression: Expression, found: Set<string> = new Set()): Set<string> {
  if (expression.kind === 'ref') found.add(expression.rule);
  for (const part of partsOf(expression)) referencedRules(part, found);
  return found;
}
