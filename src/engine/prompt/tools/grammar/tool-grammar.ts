import { gbnfLiteral, grammarText } from '../../../grammar/text/gbnf-text.ts';
import type { JsonObject, ToolDefinition } from '../../../types.ts';
import { atPath, looseLiteral, RuleSet } from './grammar-texts.ts';
import { parameterGrammar } from './parameter-grammar.ts';
import type { SchemaCompiler } from './raw-value-grammar.ts';
import { channelTexts } from '../../thoughts/read-channels.ts';
import type { JsonMember, SyntaxPiece, ToolSyntax } from '../tool-syntax.ts';

export interface ToolGrammarOptions {
  readonly syntax: ToolSyntax;
  /** All that were offered; errors name them by their index here. */
  readonly tools: readonly ToolDefinition[];
  /** Names that may be called, at least one; undefined: all. */
  readonly allowed?: readonly string[] | undefined;
  /** More than one call may come; only where the syntax has room for it. */
  readonly parallel: boolean;
  /** `compileSchema`, or a cache of it. */
  readonly compile: SchemaCompiler;
  /** Hears which tool's schema comes next. */
  readonly onTool?: (path: string, index: number) => void;
  /**
   * `start`: the whole answer is calls (tool_choice required or a function). `thought`: the same right behind a
   * thought that the prompt began. `trigger`: the grammar wakes where one of the syntax's triggers came in the text,
   * and is first fed the text from that trigger on.
   */
  readonly from: CallsBegin;
}

export type CallsBegin = 'start' | 'thought' | 'trigger';

/**
 * The GBNF text of one or more calls of `tools`, ended by the end of the turn. Every text of it parses to calls
 * whose arguments satisfy the tools' schemas. Throws invalid_json_schema, its `param` beginning with the index of
 * the tool, as in `tools[0].parameters.properties.a`.
 */
export function toolGrammar(options: ToolGrammarOptions): string {
  const { tools, allowed } = options;
  const rules = new RuleSet();
  const callable = [...tools.keys()].filter((index) => allowed?.includes(tools[index]?.name ?? '') ?? true);
  const bodies = callable.map((index) => {
    const path = `tools[${index}].parameters`;
    options.onTool?.(path, index);
    return rules.define(
      `tool-${index}`,
      atPath(path, () => toolPattern(options, index, rules)),
    );
  });
  rules.define('any-tool', bodies.join(' | '));
  const root = rootPattern(options, rules);
  return grammarText(root, pythonWords(options.syntax, rules.rules));
}

function rootPattern({ syntax, parallel, from }: ToolGrammarOptions, rules: RuleSet): string {
  if (syntax.channels) return channelPattern(from);
  const { section, call } = syntax;
  const begin = (section.begin + call.begin).trimStart();
  const end = looseLiteral(call.end);
  const next = joined(looseLiteral(syntax.separator), beginPattern(call.begin, syntax), 'any-tool', end);
  rules.define('next-call', next);
  const more = parallel && syntax.parallel ? 'next-call*' : '';
  const rest = (sectionEnd: string) => joined('any-tool', end, more, sectionEnd);
  const whole = joined(beginPattern(begin, syntax), rest(looseLiteral(section.end)));
  if (from !== 'trigger') return `[\\n ]? [\\n ]? ${whole}`;
  const starts = syntax.triggers.map(({ text, atStart }) => {
    if (atStart) return whole;
    const at = begin.indexOf(text);
    if (at < 0) return joined(gbnfLiteral(text), whole);
    // From the inner marker on, the section was never begun and is not ended.
    const sectionEnd = at < section.begin.trimStart().length ? looseLiteral(section.end) : '';
    return joined(beginPattern(begin.slice(at), syntax), rest(sectionEnd));
  });
  return [...new Set(starts)].join(' | ');
}

const joined = (...parts: string[]) => parts.filter((part) => part !== '').join(' ');

/** What begins a call: the trigger exactly, since a call is known by it, and the rest loosely. */
function beginPattern(begin: string, { triggers }: ToolSyntax): string {
  const trigger = triggers.find(({ text }) => begin.startsWith(text))?.text ?? '';
  return joined(trigger === '' ? '' : gbnfLiteral(trigger), looseLiteral(begin.slice(trigger.length)));
}

/** True, False and None where the model writes Python, in every rule that schemas compiled to. */
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

/** A call's header has its recipient before or behind the channel; the end of the message is the end of the turn. */
const channelPattern = (from: CallsBegin) =>
  joined(
    from === 'thought' ? gbnfLiteral(channelTexts.nextMessage) : '',
    from === 'trigger' ? '' : '"<|channel|>commentary"?',
    '" to=functions." any-tool',
  );

const channelHeader = '"<|channel|>commentary"? (" json" | " "? "<|constrain|>json")? "<|message|>"';

function toolPattern(options: ToolGrammarOptions, index: number, rules: RuleSet): string {
  const { syntax, tools, compile } = options;
  const { body } = syntax;
  const { name, parameters } = tools[index] ?? { name: '' };
  const prefix = `tool-${index}-`;
  const json = () => {
    const compiled = compile(parameters ?? noArguments, { prefix });
    rules.addAll(compiled.rules);
    return compiled.rootRule;
  };
  if (body.kind === 'json') return membersPattern(body.members, name, json);
  const header = syntax.channels ? channelHeader : body.afterName.map(piecePattern).join(' ');
  const written =
    body.arguments.kind === 'json'
      ? json()
      : parameterGrammar(body.arguments, parameters ?? noArguments, rules, compile, prefix);
  return joined(gbnfLiteral(name), header, written);
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

const idPattern = '[a-zA-Z0-9]{9}';
/** Nothing reads it, and a bare call is known for one only behind its id. */
const jsonIdPattern = '[-a-zA-Z0-9_]{1,64}';
const indexPattern = '[0-9]{1,3}';

function piecePattern(piece: SyntaxPiece): string {
  if (typeof piece === 'string') return looseLiteral(piece);
  return piece.kind === 'id' ? idPattern : indexPattern;
}
