import { automatonGrammar } from '../text/automaton-grammar.ts';
import type { Conjunction } from '../branches/branches.ts';
import type { Compilation } from './compilation.ts';
import { sequence, type Expression } from '../text/expression.ts';
import { countOf, countsOf, textOf, valuesOf } from '../schema/keywords.ts';
import type { AutomatonState } from '../language/automaton.ts';
import { PatternError } from '../language/pattern/pattern-node.ts';
import { patternLanguage } from '../language/pattern/pattern-language.ts';
import type { Language } from '../language/language.ts';
import { withLengths } from '../language/bounded-length.ts';
import { limits } from '../budget/limits.ts';
import { exclusionOf } from '../logic/exclusion.ts';
import { allowedTypes } from '../logic/plausible.ts';
import { patternOfFormat } from '../language/format-patterns.ts';
import { refusal } from '../budget/refusal.ts';
import { repetition } from '../text/repetition.ts';
import type { SchemaNode } from '../schema/schema-document.ts';

/** The JSON strings that satisfy all of `nodes`. */
export function stringExpression(compilation: Compilation, nodes: Conjunction, name: string): Expression {
  const { style, languages: l } = compilation;
  const { quote, writable } = style;
  const shape = stringLanguage(compilation, nodes);
  const { language: asked, min, max, where, keyword } = shape;
  const language = asked && writable ? l.both([asked, writable]) : asked;
  if (min > max)
    return compilation.impossible(where ?? nodes[0], 'minLength', 'it is greater than maxLength.');
  if (language === undefined) {
    if (min === 0 && max === Infinity) return style.anyString;
    mustBeWritable(nodes, 'minLength', min);
    const key = `length ${min} ${max}`;
    return compilation.once(key, () => {
      const text = repetition(compilation.builder, name, style.char, min, max);
      return compilation.builder.define(name, sequence(quote, text, quote));
    });
  }
  const key = `${language.id} ${min} ${max}`;
  return compilation.once(key, () => {
    const states = boundedAutomaton(compilation, { ...shape, language });
    if (states === undefined)
      throw refusal(
        where?.path ?? '',
        keyword,
        'it needs an automaton that is too large; make it simpler or shorter.',
      );
    if (states.length === 0)
      return compilation.impossible(
        where,
        keyword,
        'no string satisfies it together with the other keywords.',
      );
    const hint = (where && textOf(where, 'format')) ?? name;
    const text = automatonGrammar(compilation.builder, states, hint, style.encode);
    return compilation.builder.define(hint, sequence(quote, text, quote));
  });
}

/** Throws invalid_json_schema where `min`, the largest `keyword` of `nodes`, is more than can be written. */
export function mustBeWritable(nodes: Conjunction, keyword: 'minLength' | 'minItems', min: number): void {
  if (min <= limits.leastRepetition) return;
  const holder = nodes.find((node) => countOf(node, keyword) === min);
  throw refusal(holder?.path ?? '', keyword, `at most ${limits.leastRepetition} can be enforced.`);
}

export interface StringShape {
  /** Undefined where the schema limits only the length. */
  readonly language: Language | undefined;
  readonly min: number;
  readonly max: number;
  /** The first schema that limits more than the length. */
  readonly where: SchemaNode | undefined;
  /** The keyword with which it does; '': there is none. */
  readonly keyword: string;
}

/** The strings that all keywords in `nodes` allow together. */
export function stringLanguage(compilation: Compilation, nodes: Conjunction): StringShape {
  const l = compilation.languages;
  const parts: Language[] = [];
  let where: SchemaNode | undefined;
  const add = (node: SchemaNode, keyword: string, pattern: string, negated = false) => {
    const language = patternOf(compilation, node, keyword, pattern);
    parts.push(negated ? l.not(language) : language);
    where ??= node;
  };
  for (const node of nodes) {
    const pattern = textOf(node, 'pattern');
    if (pattern !== undefined) add(node, 'pattern', pattern);
    const format = textOf(node, 'format');
    const formatted = format === undefined ? undefined : patternOfFormat(format);
    if (formatted !== undefined) add(node, 'format', formatted);
    const exclusion = exclusionOf(node);
    for (const excluded of exclusion?.patterns ?? []) add(node, 'not', excluded, true);
    const texts = (exclusion?.values ?? []).filter((value) => typeof value === 'string');
    if (texts.length === 0) continue;
    parts.push(l.not(l.either(texts.map((text) => l.text(text)))));
    where ??= node;
  }
  return {
    language: parts.length === 0 ? undefined : l.both(parts),
    ...countsOf(nodes, 'Length'),
    where,
    keyword: ['pattern', 'format', 'not'].find((one) => where && Object.hasOwn(where.schema, one)) ?? '',
  };
}

/** The language of `pattern`. Throws invalid_json_schema for a pattern that is not supported. */
export function patternOf(
  compilation: Compilation,
  node: SchemaNode,
  keyword: string,
  pattern: string,
): Language {
  try {
    return compilation.work.during(node.path, keyword, () => patternLanguage(compilation.languages, pattern));
  } catch (error) {
    if (error instanceof PatternError)
      throw refusal(node.path, keyword, `in the pattern '${pattern.slice(0, 200)}', ${error.message}.`);
    throw error;
  }
}

/**
 * The automaton for the texts of a shape. Where it would be too large, longer texts
 * are left out: then there are fewer documents, all of them valid. Undefined when no texts are left.
 */
export function boundedAutomaton(
  compilation: Compilation,
  { language, min, max, where, keyword }: StringShape & { readonly language: Language },
): readonly AutomatonState[] | undefined {
  const { work } = compilation;
  return work.during(where?.path ?? '', keyword, () => {
    const { states, whole } = compilation.automaton(language);
    const bounded = Math.min(max, max === Infinity ? Infinity : limits.patternLength);
    const room = Math.max(limits.boundedStates, states.length);
    // If these are too many states, the largest max for which there is room.
    const most = Math.max(min, Math.floor(limits.boundedStates / Math.max(1, states.length)));
    const found =
      withLengths(states, min, bounded, room, work) ??
      withLengths(states, min, Math.min(max, most), room, work);
    return whole || (found?.length ?? 0) > 0 ? found : undefined;
  });
}

/** The language of the strings that satisfy all of `nodes`, without JSON's quotes: for names of properties. */
export function textsOf(compilation: Compilation, nodes: readonly SchemaNode[]): Language {
  const l = compilation.languages;
  const ofStrings = compilation.branches.alternatives(nodes).filter((one) => allowedTypes(one).has('string'));
  const alternatives = ofStrings.map((conjunction) => {
    const values = conjunction.flatMap((node) => valuesOf(node) ?? []);
    const { language, min, max } = stringLanguage(compilation, conjunction);
    const named = values.filter((value) => typeof value === 'string').map((value) => l.text(value));
    const parts = [l.repeat(l.anyChar, min, max), language ?? l.anyText];
    return l.both(values.length === 0 ? parts : [...parts, l.either(named)]);
  });
  return l.either(alternatives);
}
