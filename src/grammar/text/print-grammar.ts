import { copiesIn, isEmptyText, partsOf, referencedRules, type Expression } from './expression.ts';
import { gbnfClass, gbnfLiteral } from '../gbnf.ts';
import { tooLarge } from './grammar-builder.ts';
import { limits } from '../budget/limits.ts';
import { primitiveClosure, primitiveRules } from './primitive-rules.ts';
import { refusalOfAll } from '../budget/refusal.ts';

/** How deep parentheses may be nested in a rule; deeper ones become a rule of their own. */
const maxNesting = 6;

/**
 * The texts of `rules` by name, with the primitive rules that they use. Throws invalid_json_schema when the grammar is
 * too large for llama.cpp.
 */
export function printGrammar(rules: ReadonlyMap<string, Expression>): ReadonlyMap<string, string> {
  const printer = new Printer(rules);
  const texts = new Map<string, string>();
  const primitives = new Set<string>();
  let size = 0;
  let copies = 0;
  for (const [name, expression] of rules) {
    for (const used of referencedRules(expression)) if (primitiveRules.has(used)) primitives.add(used);
    for (const [rule, text] of printer.print(name, expression)) {
      texts.set(rule, text);
      size += rule.length + text.length + 6;
    }
    copies += copiesIn(expression);
    if (size > limits.grammarText) throw tooLarge();
    if (copies > limits.copies) throw tooManyCopies();
  }
  if (leftmostWays(rules) > limits.leftmostWays) throw tooLarge();
  return new Map([...texts, ...primitiveClosure(primitives)]);
}

const tooManyCopies = () =>
  refusalOfAll(
    `The schema's bounded repetitions come to more than ${limits.copies} characters and items; lower maxLength and ` +
      'maxItems, or leave them out.',
  );

class Printer {
  readonly #rules: ReadonlyMap<string, Expression>;
  #texts: [string, string][] = [];

  constructor(rules: ReadonlyMap<string, Expression>) {
    this.#rules = rules;
  }

  print(name: string, expression: Expression): readonly (readonly [rule: string, text: string])[] {
    this.#texts = [];
    const text = this.#text(expression, name, 0);
    return [[name, text], ...this.#texts];
  }

  #text(expression: Expression, name: string, nesting: number): string {
    switch (expression.kind) {
      case 'literal':
        return gbnfLiteral(expression.text);
      case 'chars':
        return gbnfClass(expression.set);
      case 'ref':
        return expression.rule;
      case 'sequence':
        if (isEmptyText(expression)) return '""';
        return expression.parts.map((part) => this.#item(part, name, nesting)).join(' ');
      case 'choice':
        return expression.options.map((option) => this.#text(option, name, nesting)).join(' | ');
      case 'repeat':
        return this.#item(expression.inner, name, nesting) + times(expression.min, expression.max);
    }
  }

  #item(expression: Expression, name: string, nesting: number): string {
    if (expression.kind !== 'choice' && expression.kind !== 'sequence')
      return this.#text(expression, name, nesting);
    if (nesting < maxNesting) return `(${this.#text(expression, name, nesting + 1)})`;
    let part = `${name}-${this.#texts.length + 1}p`;
    while (this.#rules.has(part)) part += 'p';
    // The name is taken before the text is written, as parts nested in it become rules as well.
    const entry: [string, string] = [part, ''];
    this.#texts.push(entry);
    entry[1] = this.#text(expression, name, 0);
    return part;
  }
}

function times(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (min === 0 && max === 1) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

/**
 * At most how many steps llama.cpp's check for left recursion takes. It walks from each rule to the rules with which it
 * can begin, and through a shared rule once for each way that leads there. Infinity when a rule begins with itself.
 */
function leftmostWays(rules: ReadonlyMap<string, Expression>): number {
  interface Beginning {
    readonly ways: number;
    readonly mayBeEmpty: boolean;
  }
  const known = new Map<string, Beginning>();
  const ofRule = (name: string): Beginning => {
    const body = rules.get(name);
    if (body === undefined) return { ways: 10, mayBeEmpty: false };
    const found = known.get(name);
    if (found !== undefined) return found;
    known.set(name, { ways: Infinity, mayBeEmpty: true });
    const { ways, mayBeEmpty } = of(body);
    const beginning = { ways: 1 + ways, mayBeEmpty };
    known.set(name, beginning);
    return beginning;
  };
  const of = (expression: Expression): Beginning => {
    if (expression.kind === 'ref') return ofRule(expression.rule);
    const isChoice = expression.kind === 'choice';
    let ways = 0;
    let mayBeEmpty = expression.kind === 'sequence' || expression.kind === 'repeat';
    for (const part of partsOf(expression)) {
      const first = of(part);
      ways += first.ways;
      mayBeEmpty = isChoice ? mayBeEmpty || first.mayBeEmpty : first.mayBeEmpty;
      if (!isChoice && !mayBeEmpty) break;
    }
    return { ways, mayBeEmpty: mayBeEmpty || (expression.kind === 'repeat' && expression.min === 0) };
  };
  let most = 0;
  for (const name of rules.keys()) most = Math.max(most, ofRule(name).ways);
  return most;
}
