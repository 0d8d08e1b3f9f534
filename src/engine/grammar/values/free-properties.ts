import { automatonGrammar } from '../text/automaton-grammar.ts';
import type { Conjunction } from '../branches/branches.ts';
import type { Compilation } from '../compilation.ts';
import { literal, ref, sequence, type Expression } from '../text/expression.ts';
import { jsonChar } from '../text/json-chars.ts';
import { own } from '../schema/json-value.ts';
import { membersOf } from '../schema/keywords.ts';
import { charRange, charsOf, subtractChars, uniteChars } from '../language/char-set.ts';
import type { Language } from '../language/languages.ts';
import { limits } from '../limits.ts';
import { AppError } from '../../../errors.ts';
import { additionalNode, namedProperties } from '../schema/object-members.ts';
import { namedValues } from '../logic/plausible.ts';
import { refusal } from '../refusal.ts';
import type { SchemaNode } from '../schema/schema-document.ts';
import { patternOf, textsOf } from './string-expression.ts';
import { hasUnevaluated } from '../branches/unevaluated.ts';

export interface FreeProperties {
  /** Names and values of properties that the schema does not name, one expression for each kind. */
  readonly members: readonly Expression[];
  /** Names that propertyNames leaves as the only ones. */
  readonly names: readonly string[];
  /** Any name with any value. */
  readonly any: boolean;
}

const none: FreeProperties = { members: [], names: [], any: false };

/**
 * The properties that `nodes` allow without naming them: those of patternProperties, and others where
 * additionalProperties says so or where nothing is declared at all. A schema that only lists properties gets no
 * others: that is what callers of structured output expect, and every such document is valid.
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
    return { members: [pair(ref('string'), value)], names: [], any: additional.every((node) => node.id < 0) };
  }
  if (patterns.size === 0 && (!open || closed)) return none;

  const taken = l.either(named.map((one) => l.text(one)));
  const namable = nameNodes.length === 0 ? l.anyText : textsOf(compilation, nameNodes);
  const byPattern = patternLanguages(compilation, nodes, named.length > 0);
  if (byPattern === undefined) return none;
  const members: Expression[] = [];
  const add = (
    language: Language,
    values: readonly SchemaNode[],
    hint: string,
    holder: SchemaNode | undefined,
  ) => {
    if (values.some((node) => node.never)) return;
    const { states, whole } = compilation.work.during(holder?.path ?? '', 'patternProperties', () =>
      compilation.automaton(language, limits.nameSteps),
    );
    if (!whole && states.length === 0 && named.length === 0)
      throw refusal(
        holder?.path ?? '',
        'patternProperties',
        'its names need an automaton that is too large.',
      );
    // Too large beside declared properties: then there are only those.
    if (states.length === 0 || (!whole && named.length > 0)) return;
    const key = sequence(
      literal('"'),
      automatonGrammar(compilation.builder, states, `${hint}-name`, jsonChar),
      literal('"'),
    );
    members.push(pair(key, compilation.valueOf(values, `${hint}-value`)));
  };
  for (const [pattern, language] of byPattern) {
    const others = [...byPattern].filter(([other]) => other !== pattern).map(([, other]) => l.not(other));
    const values = nodes.flatMap((node) => {
      const held = membersOf(node, 'patternProperties').filter(([other]) => other === pattern);
      if (held.length === 0) return additionalNode(document, node) ?? [];
      return held.map(([, schema]) => document.child(node, schema, 'patternProperties', pattern));
    });
    add(l.both([language, l.not(taken), namable, ...others]), values, `${name}-${pattern}`, nodes[0]);
  }
  if (open && !closed) {
    const others = [...byPattern.values()].map((language) => l.not(language));
    const printable = l.repeat(l.chars(printableChars), 1, Infinity);
    add(l.both([printable, l.not(taken), namable, ...others]), additional, `${name}-other`, nodes[0]);
  }
  return { members, names: [], any: false };
}

/** Names that are made up need no quotes, backslashes or control characters. */
const printableChars = subtractChars(
  uniteChars([charRange(0x20, 0x7e), charRange(0xa0, 0x10ffff)]),
  charsOf('"\\'),
);

const pair = (key: Expression, value: Expression): Expression =>
  sequence(key, literal(':'), ref('ws'), value);

/**
 * The language of each pattern in patternProperties; undefined where one is outside of the supported subset and
 * the object has declared properties, to which it is then restricted.
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

function finiteNames(compilation: Compilation, nodes: readonly SchemaNode[]): readonly string[] | undefined {
  const names: string[] = [];
  for (const conjunction of compilation.branches.alternatives(nodes)) {
    const values = namedValues(compilation.document, conjunction);
    if (values === undefined) return undefined;
    names.push(...values.filter((value) => typeof value === 'string'));
  }
  return names;
}

/** An empty list of properties says "none"; one of forbidden properties says nothing about others. */
function declaresProperties(node: SchemaNode): boolean {
  if (own(node.schema, 'properties') === undefined) return false;
  const properties = membersOf(node, 'properties');
  return properties.length === 0 || properties.some(([, schema]) => schema !== false);
}
