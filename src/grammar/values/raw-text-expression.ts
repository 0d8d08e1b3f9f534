import {
  charsOf,
  codePoint,
  hasChar,
  noChars,
  subtractChars,
  uniteChars,
  type CharSet,
} from '../char-set.ts';
import type { Compilation } from './compilation.ts';
import type { Conjunction } from '../branches/branches.ts';
import type { Language } from '../language/language.ts';
import type { Languages } from '../language/languages.ts';
import type { SchemaNode } from '../schema/schema-document.ts';
import { allowedTypes, namedValues } from '../logic/plausible.ts';
import { automatonGrammar } from '../text/automaton-grammar.ts';
import { boundedAutomaton, mustBeWritable, stringLanguage } from './string-expression.ts';
import { charClass, choice, emptyText, ref, type Expression } from '../text/expression.ts';
import { choiceTree } from '../text/choice-tree.ts';
import { limits } from '../budget/limits.ts';
import { repetition } from '../text/repetition.ts';
import { withLengths } from '../language/bounded-length.ts';

/** How texts look that stand as they are, and not as JSON strings. */
export interface RawTexts {
  /** The characters that they may hold. */
  readonly chars: CharSet;
  /** The marker behind a text; where `follow` is given, it ends a text only before one of these and white space. */
  readonly end: { readonly text: string; readonly follow?: readonly string[] };
  /** Characters with which no text begins, nor with white space; '': a text may begin with any. */
  readonly notFirst: string;
  /** The name of the caller's rule for all such texts. */
  readonly anyText: string;
}

/** The largest minLength that is counted in an automaton, and the largest maxLength that is always enforced. */
const mostCounted = 8;
const mostPlain = 256;

const spaces = charsOf(' \t\n');

/** All texts that can be told from the text behind them. */
export function rawLanguage(l: Languages, { chars, end, notFirst }: RawTexts): Language {
  const follow = end.follow?.map((text) => l.text(text));
  const behind = follow ? l.concat(l.repeat(l.chars(spaces), 0, Infinity), l.either(follow)) : l.emptyText;
  const ended = l.sequence([l.anyText, l.text(end.text), behind, l.anyText]);
  // An empty text may be written without the marker's line break.
  const empty = l.sequence([l.text(end.text.trimStart()), behind, l.anyText]);
  const first = l.chars(subtractChars(subtractChars(chars, charsOf(notFirst)), spaces));
  const begun = l.either([l.emptyText, l.concat(first, l.anyText)]);
  return l.both([
    l.repeat(l.chars(chars), 0, Infinity),
    l.not(l.either([ended, empty])),
    ...(notFirst === '' ? [] : [begun]),
  ]);
}

/**
 * The texts that satisfy all of `nodes`; those that cannot be told from the text behind them are left out. A length
 * that cannot be counted beside the marker is ignored unless the document is strict.
 */
export function rawTextExpression(
  compilation: Compilation,
  nodes: readonly SchemaNode[],
  name: string,
  raw: RawTexts,
): Expression {
  const { branches, document } = compilation;
  const isWritable = rawTest(raw);
  const named = new Set<string>();
  const options: Expression[] = [];
  for (const conjunction of branches.alternatives(nodes)) {
    if (!allowedTypes(conjunction).has('string')) continue;
    const values = namedValues(document, conjunction);
    if (values === undefined) {
      const option = textsOfOne(compilation, conjunction, name, raw);
      if (option.kind === 'ref' && option.rule === raw.anyText) return option;
      options.push(option);
    } else for (const value of values) if (typeof value === 'string' && isWritable(value)) named.add(value);
  }
  if (named.size > 0) options.unshift(choiceTree([...named].map((text) => ({ text, rest: emptyText }))));
  if (options.length > 0) return choice(options);
  const [node] = nodes;
  const keyword = ['enum', 'const'].find((one) => node !== undefined && Object.hasOwn(node.schema, one));
  return compilation.impossible(
    node,
    keyword ?? '',
    'none of its texts can be written in this model’s calls.',
  );
}

/** Tells whether a text is one of `rawLanguage`, which takes long to build for a few texts. */
function rawTest({ chars, end, notFirst }: RawTexts): (text: string) => boolean {
  const escaped = (text: string) => text.replaceAll(/[\^$.*+?()[\]{}|/]/g, '\\$&');
  const behind = end.follow ? `[ \\t\\n]*(?:${end.follow.map(escaped).join('|')})` : '';
  const ended = new RegExp(`${escaped(end.text)}${behind}|^${escaped(end.text.trimStart())}${behind}`);
  const first = notFirst === '' ? noChars : uniteChars([charsOf(notFirst), spaces]);
  return (text) =>
    !ended.test(text) &&
    (text === '' || !hasChar(first, codePoint(text))) &&
    Array.from(text).every((char) => hasChar(chars, codePoint(char)));
}

function textsOfOne(compilation: Compilation, nodes: Conjunction, name: string, raw: RawTexts): Expression {
  const { languages: l, builder } = compilation;
  const shape = stringLanguage(compilation, nodes);
  const { language, min, max, where, keyword } = shape;
  if (language === undefined && min === 0 && max === Infinity) return ref(raw.anyText);
  if (language === undefined) return textsOfLength(compilation, nodes, { min, max }, name, raw);
  const both = l.both([language, rawLanguage(l, raw)]);
  const states = boundedAutomaton(compilation, { ...shape, language: both });
  if (states === undefined || states.length === 0)
    return compilation.impossible(where, keyword, 'no text that can be written here matches it.');
  return builder.define(name, automatonGrammar(builder, states, name, charClass));
}

/** The texts of which only the length is limited. */
function textsOfLength(
  compilation: Compilation,
  nodes: Conjunction,
  { min, max }: { readonly min: number; readonly max: number },
  name: string,
  raw: RawTexts,
): Expression {
  const { builder, document, work } = compilation;
  if (max === Infinity && min <= mostCounted) {
    const writable = compilation.automaton(rawLanguage(compilation.languages, raw));
    const bounded = withLengths(writable.states, min, max, limits.boundedStates, work);
    return builder.define(name, automatonGrammar(builder, bounded ?? [], name, charClass));
  }
  if (max > mostPlain && !document.strict) {
    for (const keyword of ['minLength', 'maxLength'])
      for (const node of nodes) if (Object.hasOwn(node.schema, keyword)) document.ignore(node, keyword);
    return ref(raw.anyText);
  }
  mustBeWritable(nodes, 'minLength', min);
  // Without the first character of the marker no text can hold the marker.
  const plain = subtractChars(raw.chars, charsOf(raw.end.text.charAt(0) + raw.notFirst));
  return builder.define(name, repetition(builder, name, charClass(plain), min, max));
}
