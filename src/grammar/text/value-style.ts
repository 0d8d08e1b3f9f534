import { remembered } from '../remembered.ts';
import { charRange, charsOf, subtractChars, textChars } from '../char-set.ts';
import type { Language } from '../language/language.ts';
import { Languages } from '../language/languages.ts';
import { isArray, isObject, type Json } from '../schema/json-value.ts';
import { automatonGrammar, type EncodeChars } from './automaton-grammar.ts';
import {
  charClass,
  choice,
  emptyText,
  literal,
  ref,
  repeat,
  sequence,
  type Expression,
} from './expression.ts';
import { GrammarBuilder } from './grammar-builder.ts';
import { Work } from '../budget/work.ts';
import { fewRanges, jsonChar } from './json-chars.ts';
import { exploreAutomaton } from '../language/automaton.ts';

/** How values are written: as JSON, or in a way of a model's own. */
export interface ValueStyle {
  /** The text of `value`; undefined where it cannot be written. */
  readonly textOf: (value: Json) => string | undefined;
  /** The text of the name of a member. */
  readonly nameOf: (name: string) => string;
  readonly quote: Expression;
  /** One of some characters between quotes. */
  readonly encode: EncodeChars;
  /** One character between quotes that may be repeated. */
  readonly char: Expression;
  /** The texts that can be written between quotes; undefined: all. */
  readonly writable: Language | undefined;
  readonly anyName: Expression;
  readonly anyString: Expression;
  readonly anyObject: Expression;
  readonly anyValue: Expression;
}

export const jsonStyle: ValueStyle = {
  textOf: (value) => JSON.stringify(value),
  nameOf: (name) => JSON.stringify(name),
  quote: literal('"'),
  encode: jsonChar,
  char: ref('char'),
  writable: undefined,
  anyName: ref('string'),
  anyString: ref('string'),
  anyObject: ref('object'),
  anyValue: ref('value'),
};

/** The most states of an automaton that finds a mark: marks are a few characters long. */
const mostMarkStates = 100;
const plainName = /^[A-Za-z_$][\w$.-]{0,63}$/;
const nameChars = [...charsOf('$'), ...charRange(0x2d, 0x2e), ...charRange(0x30, 0x39)];
const letters = [...charRange(0x41, 0x5a), ...charsOf('_'), ...charRange(0x61, 0x7a)];

/** JSON with strings between marks, in which nothing is escaped, and plain names of members without quotes. */
export function markedStyle(mark: string, l: Languages, builder: GrammarBuilder): ValueStyle {
  const textOf = (value: Json): string | undefined => {
    if (typeof value === 'string') return value.includes(mark) ? undefined : mark + value + mark;
    if (isArray(value)) return joined('[', value.map(textOf), ']');
    if (!isObject(value)) return JSON.stringify(value);
    const members = Object.entries(value).map(([name, member]) => {
      const text = textOf(member);
      return text && `${nameOf(name)}:${text}`;
    });
    return joined('{', members, '}');
  };
  const nameOf = (name: string) => (plainName.test(name) ? name : mark + name + mark);
  for (const [name, rule] of remembered(rulesByMark, mark, () => anyRules(mark))) builder.set(name, rule);
  return {
    textOf,
    nameOf,
    quote: literal(mark),
    encode: (chars) => charClass(fewRanges(chars)),
    char: charClass(subtractChars(textChars, charsOf(mark.charAt(0)))),
    writable: l.both([l.repeat(l.chars(textChars), 0, Infinity), l.not(holding(mark, l))]),
    anyName: ref('marked-name'),
    anyString: ref('marked-string'),
    anyObject: ref('marked-object'),
    anyValue: ref('marked-value'),
  };
}

const holding = (mark: string, l: Languages) => l.sequence([l.anyText, l.text(mark), l.anyText]);
const rulesByMark = new Map<string, ReadonlyMap<string, Expression>>();

/** The rules for any values with this mark around strings: the same in every grammar, so that grammars can be joined. */
function anyRules(mark: string): ReadonlyMap<string, Expression> {
  const l = new Languages();
  const builder = new GrammarBuilder('marked-', new Work());
  const writable = l.both([l.repeat(l.chars(textChars), 0, Infinity), l.not(holding(mark, l))]);
  const { states } = exploreAutomaton(l, writable, mostMarkStates);
  const text = automatonGrammar(builder, states, 'text', charClass);
  const list = (open: string, item: Expression, close: string) => {
    const more = repeat(sequence(literal(','), item), 0, Infinity);
    return sequence(literal(open), choice([sequence(item, more), emptyText]), literal(close));
  };
  const [string, object, value] = [ref('marked-string'), ref('marked-object'), ref('marked-value')];
  const plain = sequence(
    charClass([...charsOf('$'), ...letters]),
    repeat(charClass([...nameChars, ...letters]), 0, 63),
  );
  builder.set('marked-string', sequence(literal(mark), text, literal(mark)));
  builder.set('marked-name', choice([plain, string]));
  builder.set('marked-member', sequence(ref('marked-name'), literal(':'), ref('ws'), value));
  builder.set('marked-object', list('{', ref('marked-member'), '}'));
  builder.set('marked-array', list('[', value, ']'));
  const others = ['marked-array', 'number', 'boolean', 'null'].map(ref);
  builder.set('marked-value', choice([object, string, ...others]));
  return builder.rules;
}

const joined = (open: string, parts: readonly (string | undefined)[], close: string) =>
  parts.includes(undefined) ? undefined : open + parts.join(',') + close;
