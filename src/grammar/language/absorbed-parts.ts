import type { Language } from './language.ts';
import type { Spending } from '../budget/work.ts';

type Repeat = Extract<Language, { op: 'repeat' }>;

/**
 * The `parts` of a choice without those that another one includes: `x?y` includes `y`. Of `x{0,3}y` and `x{1,5}y`,
 * `join` makes one. Without this, patterns with repetitions inside each other would have very many different
 * derivatives.
 */
export function absorbedParts(
  parts: readonly Language[],
  work: Spending,
  join: (one: Repeat, other: Repeat, tail: Language | undefined) => Language,
): Language[] {
  if (parts.length < 2) return [...parts];
  const left = new Set(parts);
  const counted = new Map<string, Language>();
  for (const part of parts) {
    if (!left.has(part)) continue;
    for (let rest = part; rest.op === 'concat' && rest.head.nullable;) {
      work.spend(1);
      rest = rest.tail;
      left.delete(rest);
    }
    const head = part.op === 'concat' ? part.head : part;
    const tail = part.op === 'concat' ? part.tail : undefined;
    if (head.op !== 'repeat') continue;
    const key = `${head.inner.id},${tail?.id ?? ''}`;
    const known = counted.get(key);
    const other = known?.op === 'concat' ? known.head : known;
    const fits =
      other?.op === 'repeat' && head.min <= other.max + 1 && other.min <= head.max + 1 && left.has(part);
    if (!fits || known === undefined || !left.has(known)) {
      counted.set(key, part);
      continue;
    }
    left.delete(part);
    left.delete(known);
    const joined = join(head, other, tail);
    left.add(joined);
    counted.set(key, joined);
  }
  return [...left].sort((a, b) => a.id - b.id);
}
