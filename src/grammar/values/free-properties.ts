import { automatonGrammar } from '../text/automaton-grammar.ts';
import type { Conjunction } from '../branches/branches.ts';
import type { Compilation } from './compilation.ts';
import { isNothing, literal, nothing, ref, sequence, type Expression } from '../text/expression.ts';
import { own } from '../schema/json-value.ts';
import { membersOf } from '../schema/keywords.ts';
import { charRange, charsOf, subtractChars, uniteChars } from '../char-set.ts';
import type { Language } from '../language/language.ts';
import { limits } from '../budget/limits.ts';
import { AppError } from '../../errors/errors.ts';
import { additionalNode, namedProperties } from '../schema/object-members.ts';
import { namedValues } from '../logic/plausible.ts';
import { refusal } from '../budget/refusal.ts';
import type { SchemaNode } from '../schema/schema-document.ts';
import { patternOf, textsOf } from './string-expression.ts';
import { hasUnevaluated } from '../branches/unevaluated.ts';

export interface FreeProperties {
  /** Members whose names the schema does not spell out: one expression for each kind, of name and value. */
  readonly members: readonly Expression[];
  /** The only names that are possible, where propertyNames allows no others. */
  readonly names: readonly string[];
  /** True when any name may have any value. */
  readonly any: boolean;
}

const none: FreeProperties = { members: [], names: [], any: false };

/**
 * The properties that `nodes` allow without naming them: those of patternProperties, and others where
 * additionalProperties says so or where nothing is declared at all. A schema that only lists properties gets no others:
 * callers of structured output expect that, and every such document is valid.
 */
export function freeProperties(
  compilation: Compilation,
  nodes: Conjunction,
  nameNodes: readonly SchemaNode[],
  name: string,
): FreeProperties {
  if (hasUnevaluated(nodes)) return none;
  const { document, languages: l } = compilation;
  const named = namedProperties(nodes);
  const additional = nodes.flatMap((node) => additionalNode(document, node) ?? []);
  const patterns = new Set(
    nodes.flatMap((node) => membersOf(node, 'patternProperties').map(([pattern]) => pattern)),
  );
  const declares = nodes.some(declaresProperties);
  const open = additional.length > 0 || (!declares && patterns.size === 0);
  const closed = additional.some((node) => node.never);
  if (nameNodes.length > 0 && open && !closed) {
    const names = finiteNames(compilation, nameNodes);
    if (names !== undefined) return { ...none, names };
  }
  const simple = open && named.length + patterns.size + nameNodes.length === 0;
  if (simple) {
    if (closed) return none;
    const value = compilation.valueOf(additional, `${name}-value`);
    return {
      members: [pair(compilation.style.anyName, value)],
      names: [],
      any: additional.every((node) => node.id < 0),
    };
  }
  if (patterns.size === 0 && (!open || closed)) return none;

  const taken = l.either(named.map((one) => l.text(one)));
  const namable = nameNodes.length === 0 ? l.anyText : textsOf(compilation, nameNodes);
  const byPattern = patternLanguages(compilation, nodes, named.length > 0);
  if (byPattern === undefined) return none;
  const list = { compilation, holder: nodes[0], besideNamed: named.length > 0 };
  const members: Expression[] = [];
  for (const [pattern, language] of byPattern) {
    const others = [...byPattern].filter(([other]) => other !== pattern).map(([, other]) => l.not(other));
    const values = nodes.flatMap((node) => {
      const held = membersOf(node, 'patternProperties').filter(([other]) => other === pattern);
      if (held.length === 0) return additionalNode(document, node) ?? [];
      return held.map(([, schema]) => document.child(node, schema, 'patternProperties', pattern));
    });
    const names = l.both([language, l.not(taken), namable, ...others]);
    members.push(...membersNamedBy(names, values, `${name}-${pattern}`, list));
  }
  if (open && !closed) {
    const others = [...byPattern.values()].map((language) => l.not(language));
    const printable = l.repeat(l.chars(printableChars), 1, Infinity);
    const names = l.both([printable, l.not(taken), namable, ...others]);
    members.push(...membersNamedBy(names, additional, `${name}-other`, list));
  }
  return { members, names: [], any: false };
}

interface MemberList {
  readonly compilation: Compilation;
  /** The schema that an error names. */
  readonly holder: SchemaNode | undefined;
  /** Whether the schema also names properties. */
  readonly besideNamed: boolean;
}

/** One expression for the members with a name from `names` and a value that satisfies all of `values`, if any. */
function membersNamedBy(
  names: Language,
  values: readonly SchemaNode[],
  hint: string,
  { compilation, holder, besideNamed }: MemberList,
): readonly Expression[] {
  if (values.some((node) => node.never)) return [];
  const path = holder?.path ?? '';
  const key = compilation.once(`names ${names.id} ${besideNamed}`, () => {
    const { states, whole } = compilation.work.during(path, 'patternProperties', () =>
      compilation.automaton(names, limits.nameSteps),
    );
    if (!whole && states.length === 0 && !besideNamed)
      throw refusal(path, 'patternProperties', 'its names need an automaton that is too large.');
    // Where the automaton is too large and the schema names properties, there are only those.
    if (states.length === 0 || (!whole && besideNamed)) return nothing;
    const { builder, style } = compilation;
    const text = automatonGrammar(builder, states, `${hint}-name`, style.encode);
    return builder.define(`${hint}-name`, sequence(style.quote, text, style.quote));
  });
  return isNothing(key) ? [] : [pair(key, compilation.valueOf(values, `${hint}-value`))];
}

/** The characters of names that the model makes up: these need no quotes, backslashes or control characters. */
const printableChars = subtractChars(
  uniteChars([charRange(0x20, 0x7e), charRange(0xa0, 0x10ffff)]),
  charsOf('"\\'),
);

const pair = (key: Expression, value: Expression): Expression =>
  sequence(key, literal(':'), ref('ws'), value);

/**
 * The language of each pattern in patternProperties. Where a pattern is not supported and the schema names properties
 * (`hasNamed`), the result is undefined: the object then gets only those.
 */
function patternLanguages(
  compilation: Compilation,
  nodes: Conjunction,
  hasNamed: boolean,
): ReadonlyMap<string, Language> | undefined {
  const found = new Map<string, Language>();
  for (const node of nodes)
    for (const [pattern] of membersOf(node, 'patternProperties')) {
      try {
        found.set(pattern, patternOf(compilation, node, 'patternProperties', pattern));
      } catch (error) {
        if (hasNamed && error instanceof AppError) return undefined;
        throw error;
      }
    }
  return found;
}

/** The names that `nodes` allow, where they spell them all out. */
function finiteNames(compilation: Compilation, nodes: readonly SchemaNode[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const conjunction of compilation.branches.alternatives(nodes)) {
    const values = namedValues(compilation.document, conjunction);
    if (values === undefined) return undefined;
    names.push(...values.filter((value) => typeof value === 'string'));
  }
  return names;
}

/** Whether `node` lists the properties of an object. A list of forbidden ones says nothing about others. */
function declaresProperties(node: SchemaNode): boolean {
  if (own(node.schema, 'properties') === undefined) return false;
  const properties = membersOf(node, 'properties');
  return properties.length === 0 || properties.some(([, schema]) => schema !== false);
}
