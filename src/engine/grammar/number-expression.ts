import { automatonGrammar } from './automaton-grammar.ts';
import type { Conjunction } from './branches.ts';
import type { Compilation } from './compilation.ts';
import { charClass, literal, ref, type Expression } from './expression.ts';
import { boundsOf, numberOf, textOf, typesOf } from './keywords.ts';
import type { CharSet } from './language/char-set.ts';
import { numberFormats } from './language/format-patterns.ts';
import { limits } from './limits.ts';
import { exclusionOf } from './negate.ts';
import { numberLanguage, type NumberShape } from './number-language.ts';
import { refusal } from './refusal.ts';
import type { SchemaNode } from './schema-document.ts';

/** The JSON numbers that satisfy all of `nodes`. */
export function numberExpression(compilation: Compilation, nodes: Conjunction, name: string): Expression {
  const shape = numberShape(nodes);
  const free =
    shape.min === -Infinity &&
    shape.max === Infinity &&
    !shape.fraction &&
    shape.divisors.length + shape.excluded.length === 0;
  if (free) return ref(shape.integer ? 'integer' : 'number');
  const [where, keyword] = origin(nodes);
  if (shape.integer && shape.fraction)
    return compilation.impossible(where, keyword, 'no number satisfies it together with the other keywords.');
  const states = compilation.automaton(numberLanguage(compilation.languages, shape));
  if (states === undefined)
    throw refusal(
      where?.path ?? '',
      keyword,
      'with the other keywords it needs a grammar that is too large.',
    );
  if (states.length === 0)
    return compilation.impossible(
      where,
      keyword,
      `no number of at most ${limits.digits} digits satisfies it together with the other keywords.`,
    );
  return automatonGrammar(compilation.builder, states, name, digit);
}

function digit(set: CharSet): Expression {
  const single = set.length === 2 && set[0] === set[1];
  return single ? literal(String.fromCodePoint(set[0] ?? 0)) : charClass(set);
}

/** The first schema that limits numbers, and the keyword with which it does. */
function origin(nodes: Conjunction): readonly [SchemaNode | undefined, string] {
  const keywords = [
    'minimum',
    'exclusiveMinimum',
    'maximum',
    'exclusiveMaximum',
    'multipleOf',
    'not',
    'format',
  ];
  for (const keyword of keywords)
    for (const node of nodes) if (Object.hasOwn(node.schema, keyword)) return [node, keyword];
  return [nodes[0], 'type'];
}

function numberShape(nodes: Conjunction): NumberShape {
  let [min, minExcluded, max, maxExcluded] = [-Infinity, false, Infinity, false];
  const raise = (to: number, excluded: boolean) => {
    if (to > min) [min, minExcluded] = [to, excluded];
    else if (to === min && excluded) minExcluded = true;
  };
  const lower = (to: number, excluded: boolean) => {
    if (to < max) [max, maxExcluded] = [to, excluded];
    else if (to === max && excluded) maxExcluded = true;
  };
  for (const node of nodes) {
    const bounds = boundsOf(node);
    raise(bounds.min, bounds.minExcluded);
    lower(bounds.max, bounds.maxExcluded);
    const format = numberFormats.get(textOf(node, 'format') ?? '');
    if (format === undefined) continue;
    raise(format.min, false);
    lower(format.max, false);
  }
  // Beyond the digits that are generated at all a bound says nothing, or forbids everything.
  const largest = 10 ** limits.digits;
  if (min <= -largest) min = -Infinity;
  if (max >= largest) max = Infinity;
  const exclusions = nodes.flatMap((node) => exclusionOf(node) ?? []);
  const divisors = nodes.flatMap(divisorOf);
  return {
    integer: divisors.length > 0 || nodes.some((node) => typesOf(node).integer),
    fraction: exclusions.some((exclusion) => exclusion.integers),
    min,
    minExcluded,
    max,
    maxExcluded,
    divisors,
    excluded: exclusions.flatMap(({ values }) => values.filter((value) => typeof value === 'number')),
  };
}

function divisorOf(node: SchemaNode): readonly number[] {
  const divisor = numberOf(node, 'multipleOf');
  if (divisor === undefined) return [];
  if (!(divisor > 0)) throw refusal(node.path, 'multipleOf', 'its value is not greater than 0.');
  if (!Number.isInteger(divisor)) {
    // 1 is a multiple of 0.5, 0.25, 0.2 …: whole numbers are enough where only those are asked for.
    if (typesOf(node).integer && Number.isInteger(1 / divisor) && Number.isInteger(1e15 / divisor))
      return [1];
    throw refusal(
      node.path,
      'multipleOf',
      'a fraction cannot be guaranteed, since decimals are not exact; use whole numbers of a smaller unit.',
    );
  }
  if (divisor > limits.divisor)
    throw refusal(node.path, 'multipleOf', `at most ${limits.divisor} can be enforced; use a larger unit.`);
  return [divisor];
}
