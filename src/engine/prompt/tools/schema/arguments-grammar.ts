import { gbnfLiteral } from '../../../../grammar/gbnf.ts';
import type { JsonObject, JsonValue } from '../../../types.ts';
import type { JsonType } from '../../../../grammar/fits-schema.ts';
import { ArgumentTypes } from './argument-types.ts';
import { isJsonObject, listOf } from './call-arguments.ts';
import type { Part, ToolSchema } from './tool-schema.ts';

/** How arguments look that are written one by one. */
export interface ArgumentsStyle {
  /** Grammar text for the separator between two of them. */
  readonly separator: string;
  readonly argument: (argument: HeldArgument) => string;
}

/** An object that holds arguments: its schema, the steps to that, and the beginning of names of rules. */
export interface ArgumentScope {
  readonly schema: JsonObject;
  readonly at: readonly (string | number)[];
  readonly prefix: string;
  /** True for a list, whose items are arguments of one name. */
  readonly ofItems?: true;
}

export interface HeldArgument {
  /** undefined: any name, of which the schema says nothing. */
  readonly name: string | undefined;
  readonly key: string;
  readonly schema: JsonValue | undefined;
  /** The keywords and names that lead to the schema from that of the tool; undefined: the value may be anything. */
  readonly at: readonly (string | number)[] | undefined;
  /** The prefix for names of this argument's rules; no other argument has the same. */
  readonly prefix: string;
  readonly types: ReadonlySet<JsonType>;
  /** Whether it may be a string that the schema does not name. */
  readonly takesAnyText: boolean;
  /** The name of a rule for its values. */
  readonly value: (part?: Partial<Part>) => string;
}

const anyName = '[a-zA-Z_] [a-zA-Z0-9_]{0,31}';

/** Grammar text for the arguments of one call, each written by itself, in any order. Throws invalid_json_schema. */
export function argumentsGrammar(
  tool: ToolSchema,
  { separator, argument }: ArgumentsStyle,
  scope: ArgumentScope = { schema: tool.flat, at: [], prefix: tool.prefix },
): string {
  const { schema, prefix } = scope;
  const required = new Set(listOf(schema['required']));
  const types = new ArgumentTypes(schema, tool.flat);
  const list = namesOf(schema, required).map((name, index) => {
    const inner = { ...scope, prefix: `${prefix}${index}-` };
    const pattern = argument(heldArgument(tool, inner, name, types));
    return { rule: tool.rules.define(`${prefix}argument-${index}`, pattern), required: required.has(name) };
  });
  if (list.length > 0 || !isOpen(schema)) return sequenceOf(list, separator, tool, prefix);
  const any = heldArgument(tool, { ...scope, prefix: `${prefix}any-` }, undefined);
  const one = tool.rules.define(`${prefix}any`, argument(any));
  return `(${one} (${separator} ${one})*)?`;
}

/** The argument `name` in `scope`, whose prefix it takes for itself. */
export function heldArgument(
  tool: ToolSchema,
  { schema, at: outer, prefix, ofItems }: ArgumentScope,
  name: string | undefined,
  types = name === undefined ? new ArgumentTypes() : new ArgumentTypes(schema, tool.flat),
): HeldArgument {
  const { properties } = schema;
  const isDeclared = name !== undefined && isJsonObject(properties) && Object.hasOwn(properties, name);
  const within = isDeclared ? ['properties', name] : ['additionalProperties'];
  const at = name === undefined ? undefined : [...outer, ...(ofItems ? ['items'] : within)];
  return {
    name,
    key: name === undefined ? anyName : gbnfLiteral(name),
    schema: isDeclared ? properties[name] : undefined,
    at,
    prefix,
    types: types.typesOf(name ?? ''),
    takesAnyText: types.takesAnyText(name ?? ''),
    value: (part) => tool.part({ prefix, at, ...part }),
  };
}

/**
 * The names of the properties that `schema` declares, in their order, then those that it only requires. A name with half
 * a surrogate pair cannot be written.
 */
function namesOf({ properties }: JsonObject, required: ReadonlySet<JsonValue>): string[] {
  const declared = Object.entries(isJsonObject(properties) ? properties : {}).filter(
    ([key, value]) => value !== false || required.has(key),
  );
  const undeclared = [...required].filter((key) => typeof key === 'string');
  return [...new Set([...declared.map(([key]) => key), ...undeclared])].filter((name) => name.isWellFormed());
}

/** Whether the schema says nothing of properties, so that there may be any. */
const isOpen = ({ type, properties, additionalProperties = true }: JsonObject): boolean =>
  type !== undefined && properties === undefined && additionalProperties === true;

/** One argument: the name of its rule, and whether it has to be there. */
interface SequenceMember {
  readonly rule: string;
  readonly required: boolean;
}

/** With this many arguments none can come twice; with more, which take a rule for each set of them, optional ones can. */
const mostOnce = 4;
/** The most required arguments that may come in any order. */
const mostInAnyOrder = 6;

/** Grammar text for arguments in any order, all required ones among them. One that comes twice is read once. */
function sequenceOf(
  list: readonly SequenceMember[],
  separator: string,
  { rules }: ToolSchema,
  prefix: string,
): string {
  const isCounted = list.length <= mostOnce;
  const counted = list.filter(({ required }) => isCounted || required);
  const others = list.filter(({ required }) => !isCounted && !required);
  const inOrder = counted.length > mostInAnyOrder;
  const any =
    others.length > 0 ? rules.define(`${prefix}other`, others.map(({ rule }) => rule).join(' | ')) : '';
  const next = rules.define('next-argument', separator);
  const written = new Set<string>();
  /** The name of the rule for the rest while `left` are still to come; '' for nothing. */
  const more = (left: readonly SequenceMember[]): string => {
    if (left.length === 0 && any === '') return '';
    const set = inOrder ? left.length : left.reduce((sum, one) => sum + 2 ** counted.indexOf(one), 0);
    const name = `${prefix}more-${set}`;
    if (written.has(name)) return name;
    written.add(name);
    const repeated = any === '' ? '' : `(${next} ${any}){0,${others.length}}`;
    const options = first(left).map((one) => `${next} ${one}`);
    const rest = options.length === 0 ? '' : `(${options.join(' | ')})${left.some(isRequired) ? '' : '?'}`;
    return rules.define(name, `${repeated} ${rest}`.trim());
  };
  const first = (left: readonly SequenceMember[]) =>
    left
      .slice(0, inOrder ? 1 : left.length)
      .map((member) => `${member.rule} ${more(left.filter((other) => other !== member))}`.trim());
  const begins = [...first(counted), ...(any === '' ? [] : [`${any} ${more(counted)}`])];
  return begins.length === 0 ? '""' : `(${begins.join(' | ')})${list.some(isRequired) ? '' : '?'}`;
}

const isRequired = ({ required }: SequenceMember) => required;
