import { remembered } from '../remembered.ts';
import { arrayExpression } from './arrays/array-expression.ts';
import { Branches, conjunctionKey, type Conjunction } from '../branches/branches.ts';
import { choiceTree } from '../text/choice-tree.ts';
import type { Compilation } from './compilation.ts';
import type { CompiledSchema } from '../gbnf.ts';
import { choice, emptyText, literal, nothing, ref, type Expression } from '../text/expression.ts';
import { GrammarBuilder } from '../text/grammar-builder.ts';
import { contradiction } from '../branches/contradiction.ts';
import type { Json } from '../schema/json-value.ts';
import type { JsonType } from '../schema/keywords.ts';
import { exploreAutomaton, type Automaton } from '../language/automaton.ts';
import { minimised } from '../language/minimise.ts';
import type { Language } from '../language/language.ts';
import { Languages } from '../language/languages.ts';
import { limits } from '../budget/limits.ts';
import { numberExpression } from './number-expression.ts';
import { objectExpression } from './object-expression.ts';
import { allowedTypes, namedValues } from '../logic/plausible.ts';
import { primitiveClosure, primitiveRules } from '../text/primitive-rules.ts';
import { printGrammar } from '../text/print-grammar.ts';
import { pruneGrammar } from '../text/prune-grammar.ts';
import { rawTextExpression, type RawTexts } from './raw-text-expression.ts';
import { refusal } from '../budget/refusal.ts';
import { SchemaDocument, type SchemaNode } from '../schema/schema-document.ts';
import { jsonStyle, markedStyle, type ValueStyle } from '../text/value-style.ts';
import { stringExpression } from './string-expression.ts';
import { isValid } from '../logic/validate-value.ts';
import type { Work } from '../budget/work.ts';
import type { AppError } from '../../errors/errors.ts';

/** The part of a schema that is compiled, and how its values are written. */
export interface CompiledPart {
  /** The keywords, names and indexes that lead from the schema's root to the part. */
  readonly at?: readonly (string | number)[] | undefined;
  /** Only values of these types. */
  readonly types?: readonly JsonType[] | undefined;
  /** The part's strings, as they are; undefined: values as JSON. */
  readonly raw?: RawTexts | undefined;
}

interface CompilerOptions {
  readonly prefix: string;
  readonly strict: boolean;
  readonly work: Work;
  /** The mark around strings in which nothing is escaped; undefined: values are JSON. */
  readonly mark?: string | undefined;
}

/**
 * Compiles one schema. A value has to satisfy several schemas at once (allOf, $ref), so it always compiles a list of
 * nodes: that is taken apart into alternatives, each of these by the types of JSON, and each type is written as an
 * expression of the grammar.
 */
export class SchemaCompiler implements Compilation {
  readonly document: SchemaDocument;
  readonly branches: Branches;
  readonly builder: GrammarBuilder;
  readonly languages: Languages;
  readonly work: Work;
  readonly style: ValueStyle;
  readonly #shared = new Map<string, Expression>();
  readonly #values = new Map<string, Expression>();
  readonly #conjunctions = new Map<string, Expression>();
  readonly #pending: (() => void)[] = [];
  readonly #impossible: AppError[] = [];
  readonly #automata = new Map<Language, Automaton>();
  #states = 0;

  constructor(schema: Json, { prefix, strict, work, mark }: CompilerOptions) {
    this.work = work;
    this.languages = new Languages(work);
    this.document = new SchemaDocument(schema, work, strict);
    this.branches = new Branches(this.document);
    this.builder = new GrammarBuilder(prefix, work);
    this.style = mark === undefined ? jsonStyle : markedStyle(mark, this.languages, this.builder);
  }

  /** The rules for the values of the whole schema, or of a part of it, as JSON or as raw texts. */
  compile({ at = [], types, raw }: CompiledPart = {}): CompiledSchema {
    const node = this.document.at(at);
    const ofTypes = types === undefined ? [] : [this.document.node({ type: types }, node.path, node)];
    const nodes = [node, ...ofTypes];
    const values = raw ? rawTextExpression(this, nodes, 'text', raw) : this.valueOf(nodes, 'document');
    const ignored = () => [...this.document.ignored];
    if (values.kind === 'ref' && values.rule === raw?.anyText)
      return { rules: new Map(), rootRule: raw.anyText, ignored: ignored() };
    return this.#print(this.builder.define('document', values), ignored);
  }

  #print(start: Expression, ignored: () => readonly string[]): CompiledSchema {
    for (let step = this.#pending.shift(); step !== undefined; step = this.#pending.shift()) step();
    const root = start.kind === 'ref' ? start.rule : '';
    const pruned = pruneGrammar(this.builder.rules, root);
    if (pruned === undefined) throw this.#unsatisfiable();
    const rootRule = pruned.root;
    const rules = primitiveRules.has(rootRule) ? primitiveClosure([rootRule]) : printGrammar(pruned.rules);
    return { rules, rootRule, ignored: ignored() };
  }

  #unsatisfiable(): AppError {
    const [first] = this.#impossible;
    return first ?? refusal('', '$ref', 'every document would have to contain itself without end.');
  }

  valueOf(nodes: readonly SchemaNode[], hint: string): Expression {
    const held = [...new Set(nodes.filter((node) => node.id >= 0 || node.never))];
    const never = held.find((node) => node.never);
    if (never !== undefined) return this.impossible(never, '', 'the schema false allows no value.');
    if (held.length === 0) return this.style.anyValue;
    return this.#rule(this.#values, conjunctionKey(held), hint, (name) => this.#union(held, name));
  }

  #union(nodes: readonly SchemaNode[], name: string): Expression {
    const alternatives = this.branches.alternatives(nodes);
    if (alternatives.length === 0) {
      const [node, keyword] = contradiction(this.document, this.branches, nodes);
      return this.impossible(node, keyword, 'no value satisfies it together with the other keywords.');
    }
    const [only] = alternatives;
    if (only !== undefined && only.length > 0 && alternatives.length === 1) {
      const key = conjunctionKey(only);
      const known = this.#conjunctions.get(key);
      if (known !== undefined) return known;
      this.#conjunctions.set(key, ref(name));
      return this.#typed(only, name);
    }
    // The values that alternatives spell out are written together, as one tree.
    const named = new Set<string>();
    const others = alternatives.filter((conjunction) => {
      const values = conjunction.length === 0 ? undefined : namedValues(this.document, conjunction);
      for (const value of values ?? []) named.add(this.style.textOf(value) ?? '');
      return values === undefined;
    });
    const tree = choiceTree(
      [...named].filter((text) => text !== '').map((text) => ({ text, rest: emptyText })),
    );
    return choice([tree, ...others.map((conjunction) => this.#alternative(conjunction, name))]);
  }

  #alternative(conjunction: Conjunction, hint: string): Expression {
    if (conjunction.length === 0) return this.style.anyValue;
    return this.#rule(this.#conjunctions, conjunctionKey(conjunction), hint, (name) =>
      this.#typed(conjunction, name),
    );
  }

  #typed(nodes: Conjunction, name: string): Expression {
    const values = namedValues(this.document, nodes);
    if (values !== undefined) {
      const texts = values.flatMap((value) => {
        const text = this.style.textOf(value);
        return text === undefined ? [] : { text, rest: emptyText };
      });
      if (texts.length > 0) return choiceTree(texts);
      return this.impossible(nodes[0], 'enum', 'none of its values satisfies the other keywords.');
    }
    const types = [...allowedTypes(nodes)];
    const hint = (type: JsonType) => (types.length === 1 ? name : `${name}-${type}`);
    return choice(types.map((type) => this.#ofType(type, nodes, hint(type))));
  }

  #ofType(type: JsonType, nodes: Conjunction, name: string): Expression {
    switch (type) {
      case 'null':
        return this.#texts([null], nodes);
      case 'boolean':
        return this.#texts([true, false], nodes);
      case 'number':
        return numberExpression(this, nodes, name);
      case 'string':
        return stringExpression(this, nodes, name);
      case 'array':
        return arrayExpression(this, nodes, name);
      case 'object':
        return objectExpression(this, nodes, name);
    }
  }

  #texts(values: readonly Json[], nodes: Conjunction): Expression {
    const valid = values.filter((value) => nodes.every((node) => isValid(this.document, node, value)));
    if (values.length === 2 && valid.length === 2) return ref('boolean');
    return choice(valid.map((value) => literal(JSON.stringify(value))));
  }

  /** The rule for `key`. Its name is given at once and its body is built later, so that schemas may be recursive. */
  #rule(
    known: Map<string, Expression>,
    key: string,
    hint: string,
    build: (name: string) => Expression,
  ): Expression {
    return remembered(known, key, () => {
      const name = this.builder.reserve(hint);
      this.#pending.push(() => this.builder.set(name, build(name)));
      return ref(name);
    });
  }

  automaton(language: Language, maxSteps: number = limits.automatonSteps): Automaton {
    return remembered(this.#automata, language, () => {
      const room = Math.min(limits.patternStatesInAll - this.#states, limits.patternStates);
      const { states, whole } = exploreAutomaton(this.languages, language, room, maxSteps);
      this.#states += states.length;
      return { states: minimised(states, this.work), whole };
    });
  }

  once(key: string, make: () => Expression): Expression {
    return remembered(this.#shared, key, make);
  }

  impossible(node: SchemaNode | undefined, keyword: string, why: string): Expression {
    if (this.#impossible.length < 1) this.#impossible.push(refusal(node?.path ?? '', keyword, why));
    return nothing;
  }
}
