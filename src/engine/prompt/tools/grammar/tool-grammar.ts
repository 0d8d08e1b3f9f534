import { gbnfLiteral, grammarText } from '../../../../grammar/gbnf.ts';
import type { JsonObject, ToolDefinition } from '../../../types.ts';
import { looseLiteral, RuleSet } from './grammar-texts.ts';
import { withInputGrammar } from './input-grammar.ts';
import { parameterGrammar } from './parameter-grammar.ts';
import { ToolSchema, type SchemaCompiler } from './tool-schema.ts';
import { isJsonObject } from '../call-arguments.ts';
import { channelTexts } from '../../thoughts/read-channels.ts';
import { flatParameters } from '../flat-parameters.ts';
import { followersOf, type JsonMember, type SyntaxPiece, type ToolSyntax } from '../tool-syntax.ts';

export interface ToolGrammarOptions {
  readonly syntax: ToolSyntax;
  /** All tools of the request; errors name a tool by its index here. */
  readonly tools: readonly ToolDefinition[];
  /** The names of tools that may be called, at least one; undefined: all. */
  readonly allowed?: readonly string[] | undefined;
  /** True when several calls may come, which also takes a syntax that allows it. */
  readonly parallel: boolean;
  /** `compileSchema`, or a cache of it. */
  readonly compile: SchemaCompiler;
  /** Is told which tool's schema is compiled next. */
  readonly onTool?: (path: string, index: number) => void;
  /** Is told the paths of keywords that are unknown and ignored, as in `tools[0].parameters.mystery`. */
  readonly onIgnored?: (paths: readonly string[]) => void;
  /**
   * `start`: the whole answer consists of calls, as with tool_choice `required`. `thought`: the same, directly after a
   * thought that the prompt began. `trigger`: the grammar begins to apply at a trigger of the syntax, and is first fed
   * the text from that trigger on.
   */
  readonly from: CallsBegin;
  /** Markers of an empty answer, which may come before the calls. */
  readonly emptyAnswer?: string;
}

export type CallsBegin = 'start' | 'thought' | 'trigger';

/**
 * A grammar in GBNF, llama.cpp's language for grammars, for one or more calls of `tools` up to the end of the turn. All
 * texts that it matches are calls whose arguments satisfy the tools' schemas. Throws invalid_json_schema; its `param`
 * begins with the index of the tool, as in `tools[0].parameters.properties.a`.
 */
export function toolGrammar(options: ToolGrammarOptions): string {
  const { tools, allowed } = options;
  const rules = new RuleSet();
  const callable = [...tools.keys()].filter((index) => allowed?.includes(tools[index]?.name ?? '') ?? true);
  const bodies = callable.map((index) => {
    const tool = tools[index] ?? { name: '' };
    const path = `tools[${index}].${tool.inputGrammar === undefined ? 'parameters' : 'inputGrammar'}`;
    options.onTool?.(path, index);
    const pattern = (parameters = noArguments) => toolPattern(options, index, parameters, rules);
    const body =
      tool.inputGrammar === undefined
        ? rules.at(path, () => pattern(tool.parameters))
        : withInputGrammar(tool.inputGrammar, path, pattern);
    return rules.define(`tool-${index}`, body);
  });
  rules.define('any-tool', bodies.join(' | '));
  const root = rootPattern(options, rules);
  options.onIgnored?.(rules.ignored);
  return grammarText(root, pythonWords(options.syntax, rules.rules));
}

function rootPattern(
  { syntax, parallel, from, emptyAnswer = '' }: ToolGrammarOptions,
  rules: RuleSet,
): string {
  if (syntax.channels) return channelPattern(from);
  const { section, call } = syntax;
  const begin = (section.begin + call.begin).trimStart();
  const end = looseLiteral(call.end);
  const next = joined(looseLiteral(syntax.separator), beginPattern(call.begin, syntax), 'any-tool', end);
  rules.define('next-call', next);
  const more = parallel && syntax.parallel ? 'next-call*' : '';
  const rest = (sectionEnd: string) => joined('any-tool', end, more, sectionEnd);
  const whole = joined(beginPattern(begin, syntax), rest(looseLiteral(section.end)));
  const lead = emptyAnswer === '' ? '' : `(${gbnfLiteral(emptyAnswer)})?`;
  if (from !== 'trigger') return joined('[\\n ]? [\\n ]?', lead, whole);
  const starts = syntax.triggers.map(({ text, atStart }) => {
    if (atStart) return whole;
    const at = begin.indexOf(text);
    // It stands before the call or, where it ends with the call's own beginning, in its place.
    const before = begin !== '' && text.endsWith(begin) ? text.slice(0, -begin.length) : text;
    if (at < 0) return joined(gbnfLiteral(before), whole);
    // A trigger inside the call means that the model did not begin the section, so it need not end it either.
    const sectionEnd = at < section.begin.trimStart().length ? looseLiteral(section.end) : '';
    return joined(beginPattern(begin.slice(at), syntax), rest(sectionEnd));
  });
  return [...new Set(starts)].join(' | ');
}

const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(' ');

/**
 * Grammar text for the beginning of a call: exactly the trigger, which tells a call from text, and the rest loosely.
 */
function beginPattern(begin: string, { triggers }: ToolSyntax): string {
  const trigger = triggers.find(({ text }) => begin.startsWith(text))?.text ?? '';
  return joined(trigger === '' ? '' : gbnfLiteral(trigger), looseLiteral(begin.slice(trigger.length)));
}

/** `rules` with JSON's true, false and null replaced by True, False and None where the model writes Python. */
function pythonWords({ body }: ToolSyntax, rules: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (body.kind === 'json' || body.arguments.kind !== 'pythonic') return rules;
  const words = new Map([
    ['"true"', '"True"'],
    ['"false"', '"False"'],
    ['"null"', '"None"'],
  ]);
  const python = (text: string) =>
    text.replaceAll(/"(?:true|false|null)"/g, (word) => words.get(word) ?? word);
  return new Map([...rules].map(([name, text]) => [name, python(text)]));
}

/** Grammar text for a call in a channel. Its recipient may stand before or after the channel; the turn ends with it. */
function channelPattern(from: CallsBegin): string {
  if (from === 'trigger') return joined(gbnfLiteral(channelTexts.callBegin), 'any-tool');
  const next = from === 'thought' ? gbnfLiteral(channelTexts.nextMessage) : '';
  return joined(next, '"<|channel|>commentary"? " to=functions." any-tool');
}

const channelHeader = '"<|channel|>commentary"? (" json" | " "? "<|constrain|>json")? "<|message|>"';

function toolPattern(
  { syntax, tools, compile }: ToolGrammarOptions,
  index: number,
  parameters: JsonObject,
  rules: RuleSet,
): string {
  const { body } = syntax;
  const { name = '', strict = false, inputGrammar } = tools[index] ?? {};
  const prefix = `tool-${index}-`;
  const tool = new ToolSchema(compile, strict || inputGrammar !== undefined);
  const whole = tool.compileWhole(parameters, prefix);
  const json = () => rules.addAll(whole);
  if (body.kind === 'json') return membersPattern(body.members, name, json);
  const pattern = (pieces: readonly SyntaxPiece[] = []) =>
    pieces.map((piece) => piecePattern(piece, name)).join(' ');
  const header = syntax.channels ? channelHeader : pattern(body.afterName);
  if (body.arguments.kind === 'json')
    return joined(pattern(body.beforeName), gbnfLiteral(name), header, json());
  rules.noteIgnored(whole.ignored);
  const { schema, beyond } = flatParameters(isJsonObject(whole.schema) ? whole.schema : {});
  tool.checkBeyond(beyond);
  rules.noteIgnored(beyond);
  const written = parameterGrammar(body.arguments, schema, schema, {
    rules,
    compile: (part) => tool.compilePart(schema, part),
    at: [],
    prefix,
    followers: followersOf(syntax),
  });
  return joined(pattern(body.beforeName), gbnfLiteral(name), header, written);
}

const noArguments: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

const membersPattern = (members: readonly JsonMember[], name: string, json: () => string): string =>
  `"{" " "? ${members.map((member) => memberPattern(member, name, json)).join(' "," " "? ')} " "? "}"`;

function memberPattern(member: JsonMember, name: string, json: () => string): string {
  const key = `${gbnfLiteral(`${JSON.stringify(member.key)}:`)} " "?`;
  switch (member.holds) {
    case 'name':
      return `${key} ${gbnfLiteral(JSON.stringify(name))}`;
    case 'arguments':
      return `${key} ${json()}`;
    case 'id':
      return `${key} "\\"" ${jsonIdPattern} "\\""`;
    case 'index-text':
      return `${key} "\\"" ${indexPattern} "\\""`;
    case 'index-number':
      return `${key} ${indexPattern}`;
    case 'constant':
      return `${key} ${gbnfLiteral(JSON.stringify(member.text))}`;
    case 'members':
      return `${key} ${membersPattern(member.members, name, json)}`;
  }
}

/** Families want nine or ten characters. */
const idPattern = '[a-zA-Z0-9]{9,10}';
/** The id in a JSON call. Nobody reads it, but it is short: a call without a marker is recognised only after its id. */
const jsonIdPattern = '[-a-zA-Z0-9_]{1,64}';
const indexPattern = '[0-9]{1,3}';

function piecePattern(piece: SyntaxPiece, name: string): string {
  if (typeof piece === 'string') return looseLiteral(piece);
  if (piece.kind === 'name') return gbnfLiteral(name);
  return piece.kind === 'id' ? idPattern : indexPattern;
}
