import { AppError } from '../../../errors/errors.ts';
import { gbnfLiteral, type CompiledSchema } from '../../../grammar/gbnf.ts';
import { textPattern } from '../../../grammar/text-pattern.ts';
import type { JsonObject, TextGrammar, ToolDefinition } from '../../types.ts';
import { channelTexts } from '../thoughts/read-channels.ts';
import { codecOf } from './codecs/codec-of.ts';
import { looseLiteral, RuleSet } from './schema/rule-set.ts';
import { ToolSchema, type SchemaCompiler } from './schema/tool-schema.ts';
import type { ToolSyntax } from './tool-syntax.ts';

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
  /** Is told of each schema before it is compiled. */
  readonly onSchema?: (path: string, schema: JsonObject | undefined) => void;
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
 * The rules of a grammar for one or more calls of `tools` up to the end of the turn, and the paths of keywords that are
 * unknown and ignored, as in `tools[0].parameters.mystery`. All texts that it matches are calls whose arguments satisfy
 * the tools' schemas. Throws invalid_json_schema; its `param` begins with the index of the tool, as in
 * `tools[0].parameters.properties.a`.
 */
export function toolGrammar(options: ToolGrammarOptions): CompiledSchema {
  const { tools, allowed, syntax, compile } = options;
  const rules = new RuleSet();
  const callable = [...tools.keys()].filter((index) => allowed?.includes(tools[index]?.name ?? '') ?? true);
  const bodies = callable.map((index) => {
    const { name = '', parameters, inputGrammar, strict = false } = tools[index] ?? {};
    const path = `tools[${index}].${inputGrammar === undefined ? 'parameters' : 'inputGrammar'}`;
    options.onSchema?.(path, parameters);
    const pattern = (held = noArguments) => {
      const isStrict = strict || inputGrammar !== undefined;
      const schema = new ToolSchema(held, { compile, strict: isStrict, rules, prefix: `tool-${index}-` });
      return codecOf(syntax.body).grammar(syntax.body, { name, syntax, schema });
    };
    const body =
      inputGrammar === undefined
        ? rules.at(path, () => pattern(parameters))
        : withInputGrammar(inputGrammar, path, pattern);
    return rules.define(`tool-${index}`, body);
  });
  rules.define('any-tool', bodies.join(' | '));
  const rootRule = rules.define('calls', rootPattern(options, rules));
  return { rootRule, rules: pythonWords(syntax, rules.rules), ignored: rules.ignored };
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

const noArguments: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/**
 * The result of `compile` for the parameters of a tool that takes a text of `grammar`. Throws invalid_value or
 * schema_too_complex with the param `path` for a grammar that cannot be enforced.
 */
function withInputGrammar<T>(grammar: TextGrammar, path: string, compile: (parameters: JsonObject) => T): T {
  try {
    return compile({
      type: 'object',
      properties: { input: { type: 'string', pattern: textPattern(grammar.syntax, grammar.definition) } },
      required: ['input'],
      additionalProperties: false,
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const code = error.code === 'schema_too_complex' ? error.code : 'invalid_value';
    const message = `The grammar of this tool cannot be enforced: ${error.message}`;
    throw new AppError(code, message, { param: path, cause: error });
  }
}
