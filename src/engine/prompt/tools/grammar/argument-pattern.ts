import { textChars } from '../../../../grammar/char-set.ts';
import type { RawTexts } from '../../../../grammar/compile-raw-text.ts';
import type { CompileOptions } from '../../../../grammar/compile-schema.ts';
import { gbnfLiteral, type CompiledSchema } from '../../../../grammar/gbnf.ts';
import { allTypes, type JsonType } from '../argument-types.ts';
import { looseLiteral, type RuleSet } from './grammar-texts.ts';
import { cdata, endOf, keyEndOf, type ArgumentsShape, type ParametersShape } from '../tool-syntax.ts';

/** How arguments look that are written one by one. */
export type ParameterShape = Exclude<ArgumentsShape, { readonly kind: 'json' }>;

/** What the grammar of an argument is written with. */
export interface ArgumentContext {
  readonly rules: RuleSet;
  /** Compiles the part of the tool's schema that is at `at`; undefined: a schema for anything. */
  readonly compile: (
    part: Pick<CompileOptions, 'prefix' | 'at' | 'types' | 'raw' | 'mark'>,
  ) => CompiledSchema;
  /** The keywords and names that lead to the schema from that of the tool; undefined: the value may be anything. */
  readonly at: readonly (string | number)[] | undefined;
  /** The prefix for names of this argument's rules; no other argument has the same. */
  readonly prefix: string;
  /** The texts that may come behind the end of a value, as in `followersOf`. */
  readonly followers: readonly string[];
}

/** What the schema of an argument allows. */
export interface ArgumentKind {
  readonly types: ReadonlySet<JsonType>;
  /** Whether it may be a string that the schema does not name. */
  readonly takesAnyText: boolean;
}

/** Grammar text for one argument: its name, which may be any where it is undefined, and a value. Throws invalid_json_schema. */
export function argumentPattern(
  shape: ParameterShape,
  name: string | undefined,
  kind: ArgumentKind,
  context: ArgumentContext,
): string {
  const key = name === undefined ? anyKey : gbnfLiteral(name);
  if (shape.kind === 'pythonic') return `${key} "=" ${valuePattern(context)}`;
  if (shape.kind === 'parameters') return new Parameter(shape, name, key, kind, context).pattern();
  return `${key} ":" ${valuePattern(context, undefined, shape.quote)}`;
}

/** Grammar text for the name of an argument of which the schema says nothing. */
const anyKey = '[a-zA-Z_] [a-zA-Z0-9_]{0,31}';

/** Grammar text for what stands before a value. */
export const parameterBegin = (shape: ParametersShape, key: string, keyEnd: string): string =>
  `${looseLiteral(shape.begin.trimStart())} ${key} ${gbnfLiteral(keyEnd)}`;

/** Grammar text for one value, of these types only: JSON, or with `mark` around its strings. */
const valuePattern = (
  { rules, compile, at, prefix }: ArgumentContext,
  types?: readonly JsonType[],
  mark?: string,
): string => rules.addAll(compile({ prefix, at, types, mark }));

/** Grammar text for a text without quotes, and the marker that ends it. */
function rawText(
  { rules, compile, at, prefix }: ArgumentContext,
  end: RawTexts['end'],
  notFirst = '',
): string {
  const texts = { chars: textChars, end, notFirst };
  const raw = { ...texts, anyText: rules.nameOfAnyText(texts) };
  const part = { prefix: `${prefix}text-`, at, types: ['string'], raw } as const;
  const text = at === undefined ? raw.anyText : rules.addAll(compile(part));
  if (text === raw.anyText) rules.addAnyText(raw);
  const whole = `${text} ${gbnfLiteral(end.text)}`;
  const trimmed = end.text.trimStart();
  // The line break behind the key is also that before the end, where nothing is in between.
  return trimmed === end.text || text !== raw.anyText ? whole : `(${whole} | ${gbnfLiteral(trimmed)})`;
}

/** Writes an argument between markers of its own. */
class Parameter {
  readonly #shape: ParametersShape;
  readonly #name: string | undefined;
  readonly #key: string;
  readonly #kind: ArgumentKind;
  readonly #context: ArgumentContext;

  constructor(
    shape: ParametersShape,
    name: string | undefined,
    key: string,
    kind: ArgumentKind,
    context: ArgumentContext,
  ) {
    this.#shape = shape;
    this.#name = name;
    this.#key = key;
    this.#kind = kind;
    this.#context = context;
  }

  pattern(): string {
    const { strings, typed } = this.#shape;
    const { types, takesAnyText } = this.#kind;
    if (strings === 'json') return this.#json();
    // Each type has a beginning of its own here, so that there is nothing to keep apart.
    if (typed === true)
      return [...types].map((type) => (type === 'string' ? this.#text() : this.#json([type]))).join(' | ');
    // A value that may be anything may be any text; it does not matter which type the text is read as.
    if (types.size === allTypes.length && takesAnyText) return this.#text();
    if (!types.has('string')) return this.#json();
    const others = [...types].filter((type) => type !== 'string');
    // Where both any text and a number are allowed, digits are read as text: numbers need no pattern of their own.
    const apart = others.filter((type) => type !== 'number' || !takesAnyText);
    const text = this.#text(apart.some((type) => type === 'array' || type === 'object') ? '[{' : '');
    return apart.length === 0 ? text : `${text} | ${this.#json(apart)}`;
  }

  #begin(keyEnd: string): string {
    return parameterBegin(this.#shape, this.#key, keyEnd);
  }

  get #end(): string {
    return this.#name === undefined ? this.#shape.end : endOf(this.#shape, this.#name);
  }

  #json(types?: readonly JsonType[]): string {
    const { typed, keyEnd } = this.#shape;
    const [type = 'object'] = types ?? [];
    const context = { ...this.#context, prefix: this.#context.prefix + (typed ? `${type}-` : '') };
    const begin = this.#begin(typed ? keyEndOf(this.#shape, type) : keyEnd.other);
    return `${begin} ${valuePattern(context, types)} ${gbnfLiteral(this.#end)}`;
  }

  #text(apart = ''): string {
    const { nested, keyEnd, begin, cdata: takesCdata } = this.#shape;
    const isText = this.#kind.types.size === 1;
    const notFirst = nested && !isText ? apart + begin.charAt(0) : apart;
    // An element under an unknown name ends with any name.
    const isOpen = nested && this.#name === undefined;
    const rest = isOpen ? ` ${this.#key} ${gbnfLiteral(keyEnd.other)}` : '';
    const end = isOpen ? { text: this.#end } : { text: this.#end, follow: this.#context.followers };
    const start = this.#begin(keyEnd.string);
    if (takesCdata === undefined) return `${start} ${rawText(this.#context, end, notFirst)}${rest}`;
    const wrapped = `${gbnfLiteral(cdata.begin)} ${rawText(this.#context, { text: cdata.end + end.text })}`;
    return `${start} (${rawText(this.#context, end, `<${notFirst}`)} | ${wrapped})`;
  }
}
