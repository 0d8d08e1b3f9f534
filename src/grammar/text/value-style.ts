import { charRange, charsOf, subtractChars, textChars } from '../char-set.ts';
import type { Language } from '../language/language.ts';
import type { Languages } from '../language/languages.ts';
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
import type { GrammarBuilder } from './grammar-builder.ts';
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
  anyString: ref('string'),
  anyObject: ref('object'),
  anyValue: ref('value'),
};

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
  const quote = literal(mark);
  const holding = l.sequence([l.anyText, l.text(mark), l.anyText]);
  const writable = l.both([l.repeat(l.chars(textChars), 0, Infinity), l.not(holding)]);
  const { states } = exploreAutomaton(l, writable, 100);
  const name = (hint: string) => builder.reserve(`any-${hint}`);
  const [string, object, array, value, member] = ['string', 'object', 'array', 'value', 'member'].map(name);
  const text = automatonGrammar(builder, states, 'any-text', charClass);
  const list = (open: string, item: Expression, close: string) =>
    sequence(
      literal(open),
      choice([sequence(item, repeat(sequence(literal(','), item), 0, Infinity)), emptyText]),
      literal(close),
    );
  const plain = sequence(charClass(letters), repeat(charClass([...nameChars, ...letters]), 0, 63));
  const rules = [string, object, array, value, member].map((rule = '') => ref(rule));
  const [anyString = quote, anyObject = quote, anyArray = quote, anyValue = quote, anyMember = quote] = rules;
  builder.set(string ?? '', sequence(quote, text, quote));
  builder.set(member ?? '', sequence(choice([plain, anyString]), literal(':'), ref('ws'), anyValue));
  builder.set(object ?? '', list('{', anyMember, '}'));
  builder.set(array ?? '', list('[', anyValue, ']'));
  builder.set(
    value ?? '',
    choice([anyObject, anyArray, anyString, ref('number'), ref('boolean'), ref('null')]),
  );
  const char = charClass(subtractChars(textChars, charsOf(mark.charAt(0))));
  const encode: EncodeChars = (chars) => charClass(fewRanges(chars));
  return { textOf, nameOf, quote, encode, char, writable, anyString, anyObject, anyValue };
}

const joined = (open: string, parts: readonly (string | undefined)[], close: string) =>
  parts.includes(undefined) ? undefined : open + parts.join(',') + close;
