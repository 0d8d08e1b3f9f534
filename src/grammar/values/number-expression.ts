import { automatonGrammar } from '../text/automaton-grammar.ts';
import type { Conjunction } from '../branches/branches.ts';
import type { Compilation } from './compilation.ts';
import { choiceTree } from '../text/choice-tree.ts';
import { charClass, emptyText, literal, ref, type Expression } from '../text/expression.ts';
import { boundsOf, boundsOfAll, numberOf, textOf, typesOf, type NumberBounds } from '../schema/keywords.ts';
import type { AutomatonState } from '../language/automaton.ts';
import { isSingle, type CharSet } from '../char-set.ts';
import { wholeNumberFormats } from '../language/format-patterns.ts';
import { limits } from '../budget/limits.ts';
import { exclusionOf } from '../logic/exclusion.ts';
import { numberLanguage, plainDecimal, type Divisor, type NumberShape } from '../language/number-language.ts';
import { refusal } from '../budget/refusal.ts';
import type { SchemaNode } from '../schema/schema-document.ts';
import { isValid } from '../logic/validate-value.ts';

/** Multiples of 1/2, 1/4 and so on down to 2^-10 are exact as doubles. */
const maxHalvings = 10;

/** The JSON numbers that satisfy all of `nodes`. */
export function numberExpression(compilation: Compilation, nodes: Conjunction, name: string): Expression {
  const stepped = steppedNumbers(compilation, nodes);
  if (stepped !== undefined) return stepped;
  const shape = numberShape(nodes);
  // Any number may have an exponent, so it is not free below a bound that is only beyond all digits.
  const free =
    shape.min === -Infinity &&
    shape.max === Infinity &&
    (shape.integer || !nodes.some(isBounded)) &&
    !shape.fraction &&
    shape.divisors.length + shape.excluded.length === 0;
  if (free) return ref(shape.integer ? 'integer' : 'number');
  const [where, keyword] = origin(nodes);
  if (shape.integer && shape.fraction)
    return compilation.impossible(where, keyword, 'no number satisfies it together with the other keywords.');
  // The automaton has a state for each number of digits and each remainder: if these are too many, digits are fewer.
  let states: readonly AutomatonState[] | undefined;
  for (const digits of [limits.digits, 9, 6]) {
    const found = compilation.work.during(where?.path ?? '', keyword, () =>
      compilation.automaton(numberLanguage(compilation.languages, shape, digits)),
    );
    if (!found.whole || (found.states.length === 0 && digits < limits.digits)) continue;
    states = found.states;
    break;
  }
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

const digit = (set: CharSet): Expression =>
  isSingle(set) ? literal(String.fromCodePoint(set[0] ?? 0)) : charClass(set);

/** The first schema that limits numbers, and the keyword with which it does. */
function origin(nodes: Conjunction): readonly [SchemaNode | undefined, string] {
  for (const keyword of 'minimum exclusiveMinimum maximum exclusiveMaximum multipleOf not format'.split(' '))
    for (const node of nodes) if (Object.hasOwn(node.schema, keyword)) return [node, keyword];
  return [nodes[0], 'type'];
}

/** The bounds that `minimum` and the like, and formats such as int32, set together. */
function writableBounds(nodes: Conjunction): NumberBounds {
  const formats = nodes.flatMap((node) => wholeNumberFormats.get(textOf(node, 'format') ?? '') ?? []);
  const ofFormats = formats.map((format) => ({ ...format, minExcluded: false, maxExcluded: false }));
  const bounds = boundsOfAll(nodes, ofFormats);
  // No number with more digits is generated, so a bound beyond them excludes either nothing or everything.
  const largest = 10 ** limits.digits;
  return {
    ...bounds,
    ...(bounds.min <= -largest ? { min: -Infinity } : {}),
    ...(bounds.max >= largest ? { max: Infinity } : {}),
  };
}

function numberShape(nodes: Conjunction): NumberShape {
  const exclusions = nodes.flatMap((node) => exclusionOf(node) ?? []);
  const divisors = nodes.flatMap(divisorOf);
  return {
    ...writableBounds(nodes),
    integer: divisors.some(({ halvings }) => halvings === 0) || nodes.some(isWhole),
    fraction: exclusions.some((exclusion) => exclusion.integers),
    divisors,
    excluded: exclusions.flatMap(({ values }) => values.filter((value) => typeof value === 'number')),
  };
}

function isBounded(node: SchemaNode): boolean {
  const { min, max } = boundsOf(node);
  return min !== -Infinity || max !== Infinity;
}

const isWhole = (node: SchemaNode): boolean =>
  typesOf(node).integer || wholeNumberFormats.has(textOf(node, 'format') ?? '');

function divisorOf(node: SchemaNode): readonly Divisor[] {
  const divisor = stepOf(node);
  if (divisor === undefined) return [];
  // 1 is a multiple of 0.5, 0.25, 0.2 and so on, so all whole numbers are; with `integer` nothing else is asked for.
  const parts = Number.isInteger(1 / divisor) && Number.isInteger(1e15 / divisor);
  if (!Number.isInteger(divisor) && parts && typesOf(node).integer) return [{ numerator: 1, halvings: 0 }];
  let halvings = 0;
  while (halvings < maxHalvings && !Number.isInteger(divisor * 2 ** halvings)) halvings += 1;
  const numerator = divisor * 2 ** halvings;
  if (!Number.isInteger(numerator))
    throw refusal(
      node.path,
      'multipleOf',
      `validators find decimals such as 0.01 inexact; use whole numbers of a smaller unit, or minimum and maximum ` +
        `with at most ${limits.decimalSteps} steps in between.`,
    );
  if (numerator * 5 ** halvings > limits.divisor)
    throw refusal(node.path, 'multipleOf', `at most ${limits.divisor} can be enforced; use a larger unit.`);
  return [{ numerator, halvings }];
}

function stepOf(node: SchemaNode): number | undefined {
  const step = numberOf(node, 'multipleOf');
  if (step !== undefined && !(step > 0))
    throw refusal(node.path, 'multipleOf', 'its value is not greater than 0.');
  return step;
}

/**
 * All numbers that satisfy `nodes`, written out one by one, for a multipleOf such as 0.01 with few multiples between
 * the bounds. Most validators divide doubles and accept only exact results: 0.07 / 0.01 is not 7, so 0.07 is left out.
 */
function steppedNumbers(compilation: Compilation, nodes: Conjunction): Expression | undefined {
  const steps = nodes.flatMap((node) => stepOf(node) ?? []);
  const step = steps.find((one) => !Number.isInteger(one * 2 ** maxHalvings));
  const { min, max } = writableBounds(nodes);
  if (step === undefined || !((max - min) / step < limits.decimalSteps)) return undefined;
  const decimals = plainDecimal(step).split('.')[1]?.length ?? 0;
  const texts: string[] = [];
  for (let at = Math.ceil(min / step - 1); at <= max / step + 1; at++) {
    const value = Number((at * step).toFixed(decimals));
    const isAllowed = nodes.every((node) => isValid(compilation.document, node, value));
    if (isAllowed) texts.push(`${value < 0 ? '-' : ''}${plainDecimal(Math.abs(value))}`);
  }
  if (texts.length === 0)
    return compilation.impossible(
      nodes.find((node) => stepOf(node) === step),
      'multipleOf',
      'no number satisfies it together with the other keywords.',
    );
  return choiceTree([...new Set(texts)].map((text) => ({ text, rest: emptyText })));
}
