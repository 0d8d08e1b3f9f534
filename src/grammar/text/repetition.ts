import { choice, repeat, sequence, type Expression } from './expression.ts';
import type { GrammarBuilder } from './grammar-builder.ts';
import { limits } from '../budget/limits.ts';

/**
 * `item`, which is a reference or a class, `min` to `max` times. llama.cpp takes a bound above 2,000 for no bound, so
 * longer repetitions are made of blocks. A `max` above 100,000 is lowered to that.
 */
export function repetition(
  builder: GrammarBuilder,
  name: string,
  item: Expression,
  min: number,
  max: number,
): Expression {
  const block = limits.repetition;
  const parts: Expression[] = [];
  for (let left = min; left > 0; left -= block) {
    const times = Math.min(left, block);
    parts.push(repeat(item, times, times));
  }
  const more = Math.min(max, Math.max(min, limits.mostRepetition)) - min;
  if (max === Infinity) parts.push(repeat(item, 0, Infinity));
  else if (more <= block) parts.push(repeat(item, 0, more));
  else parts.push(blocks(builder, name, item, more));
  return sequence(...parts);
}

/** Up to `most` items: whole blocks, then a part of one. Within a block llama.cpp follows two alternatives. */
function blocks(builder: GrammarBuilder, name: string, item: Expression, most: number): Expression {
  const size = 500;
  const full = builder.define(`${name}-block`, repeat(item, size, size));
  const partial = builder.define(`${name}-partial`, repeat(item, 0, size - 1));
  let rest = repeat(item, 0, most % size);
  for (let left = most - (most % size); left > 0; left -= size)
    rest = builder.define(`${name}-up-to`, choice([sequence(full, rest), partial]));
  return rest;
}
