import { textChars } from '../../../../../grammar/char-set.ts';
import type { RawTexts } from '../../../../../grammar/compile-raw-text.ts';
import { constraintBeyond } from '../../../../../grammar/compile-schema.ts';
import { gbnfLiteral } from '../../../../../grammar/gbnf.ts';
import type { HeldTool } from '../../call-codec.ts';
import { jsonTypes, type JsonType } from '../../../../../grammar/fits-schema.ts';
import {
  argumentsGrammar,
  heldArgument,
  type ArgumentScope,
  type HeldArgument,
} from '../../schema/arguments-grammar.ts';
import { isJsonObject, itemKey } from '../../schema/call-arguments.ts';
import { isPlainObject } from '../../schema/flat-parameters.ts';
import { looseLiteral } from '../../schema/rule-set.ts';
import type { ToolSchema } from '../../schema/tool-schema.ts';
import type { ParametersShape } from '../../tool-syntax.ts';
import { cdata, endOf, followersOf, keyEndOf } from './parameter-texts.ts';

/** The keywords that constrain lists and are honoured where items are elements. */
const listKeywords = new Set(['type', 'items']);

/** Grammar text for the parameters of one call. Text without quotes never holds the marker that ends it. */
export const parametersGrammar = (shape: ParametersShape, tool: HeldTool): string =>
  new ParameterGrammar(shape, tool).all();

class ParameterGrammar {
  readonly #shape: ParametersShape;
  readonly #schema: ToolSchema;
  readonly #followers: readonly string[];

  constructor(shape: ParametersShape, { schema, syntax }: HeldTool) {
    this.#shape = shape;
    this.#schema = schema;
    this.#followers = followersOf(shape, syntax);
  }

  /** All parameters in `scope`. */
  all(scope?: ArgumentScope): string {
    const style = { separator: this.#separator, argument: (one: HeldArgument) => this.#argument(one) };
    return argumentsGrammar(this.#schema, style, scope);
  }

  get #separator(): string {
    return looseLiteral(this.#shape.separator) || '""';
  }

  #argument(argument: HeldArgument): string {
    const { strings, typed, keyEnd } = this.#shape;
    const { types, takesAnyText } = argument;
    const elements = this.#elements(argument);
    if (elements !== undefined) return this.#around(argument, keyEnd.other, elements);
    if (strings === 'json') return this.#json(argument);
    // Each type has a beginning of its own here, so that there is nothing to keep apart.
    if (typed === true)
      return [...types]
        .map((type) => (type === 'string' ? this.#text(argument) : this.#json(argument, [type])))
        .join(' | ');
    const isTold = keyEnd.string !== keyEnd.other;
    // A value that may be anything may be any text; it does not matter which type the text is read as.
    if (types.size === jsonTypes.length && takesAnyText && !isTold) return this.#text(argument);
    if (!types.has('string')) return this.#json(argument);
    const others = [...types].filter((type) => type !== 'string');
    // Where both any text and a number are allowed, digits are read as text: numbers need no pattern of their own.
    const apart = others.filter((type) => type !== 'number' || !takesAnyText || isTold);
    const opens = apart.some((type) => type === 'array' || type === 'object') && !isTold;
    const text = this.#text(argument, opens ? '[{' : '');
    return apart.length === 0 ? text : `${text} | ${this.#json(argument, apart)}`;
  }

  /**
   * Grammar text for a value that is written as further parameters: objects and lists with plain schemas, where the
   * shape has them so. Others, which take more than that to be enforced, are JSON, which readers take as well.
   */
  #elements({ schema, types, at, prefix }: HeldArgument): string | undefined {
    if (!this.#shape.nested || types.size > 1 || !isJsonObject(schema) || at === undefined) return undefined;
    const { type, properties, items } = schema;
    if (type === 'object' && isJsonObject(properties) && isPlainObject(schema))
      return this.all({ schema, at, prefix });
    if (type !== 'array' || !isJsonObject(items) || constraintBeyond(schema, listKeywords)) return undefined;
    const inner = { properties: { [itemKey]: items } };
    const scope = { schema: inner, at, prefix: `${prefix}item-`, ofItems: true } as const;
    const item = heldArgument(this.#schema, scope, itemKey);
    const one = this.#schema.rules.define(`${prefix}item`, this.#argument(item));
    return `(${one} (${this.#separator} ${one})*)?`;
  }

  #around({ name, key }: HeldArgument, keyEnd: string, value: string): string {
    return `${this.#begin(key, keyEnd)} ${value} ${gbnfLiteral(this.#endOf(name))}`;
  }

  #begin(key: string, keyEnd: string): string {
    return `${looseLiteral(this.#shape.begin.trimStart())} ${key} ${gbnfLiteral(keyEnd)}`;
  }

  #endOf = (name: string | undefined) => (name === undefined ? this.#shape.end : endOf(this.#shape, name));

  #json(argument: HeldArgument, types?: readonly JsonType[]): string {
    const { typed, keyEnd } = this.#shape;
    const [type = 'object'] = types ?? [];
    const prefix = argument.prefix + (typed ? `${type}-` : '');
    const value = argument.value({ types, prefix });
    return this.#around(argument, typed ? keyEndOf(this.#shape, type) : keyEnd.other, value);
  }

  #text(argument: HeldArgument, apart = ''): string {
    const { nested, keyEnd, begin, cdata: takesCdata } = this.#shape;
    const { name, key, types } = argument;
    const notFirst = nested && types.size > 1 ? apart + begin.charAt(0) : apart;
    const text = this.#endOf(name);
    // An element under an unknown name ends with any name.
    const isOpen = nested && name === undefined;
    const rest = isOpen ? ` ${key} ${gbnfLiteral(keyEnd.other)}` : '';
    const end = isOpen ? { text } : { text, follow: this.#followers };
    const start = this.#begin(key, keyEnd.string);
    if (takesCdata === undefined) return `${start} ${this.#rawText(argument, end, notFirst)}${rest}`;
    const wrapped = this.#rawText(
      { ...argument, prefix: `${argument.prefix}cdata-` },
      { text: cdata.end + text },
    );
    const bare = this.#rawText(argument, end, `<${notFirst}`);
    return `${start} (${bare} | ${gbnfLiteral(cdata.begin)} ${wrapped})`;
  }

  /** Grammar text for a text without quotes, and the marker that ends it. */
  #rawText({ at, prefix, value }: HeldArgument, end: RawTexts['end'], notFirst = ''): string {
    const { rules } = this.#schema;
    const raw = rules.anyText({ chars: textChars, end, notFirst });
    const isAny = at === undefined;
    const text = isAny ? raw.anyText : value({ prefix: `${prefix}text-`, types: ['string'], raw });
    if (text === raw.anyText) rules.addAnyText(raw);
    const whole = `${text} ${gbnfLiteral(end.text)}`;
    const trimmed = end.text.trimStart();
    // The line break behind the key is also that before the end, where nothing is in between.
    return trimmed === end.text || text !== raw.anyText ? whole : `(${whole} | ${gbnfLiteral(trimmed)})`;
  }
}
