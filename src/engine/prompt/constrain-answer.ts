import { jsonObject } from '../../grammar/compile-schema.ts';
import { compileText } from '../../grammar/compile-text.ts';
import { gbnfLiteral, grammarText } from '../../grammar/gbnf.ts';
import type { GenerationRequest, JsonObject, OutputFormat, ToolUse } from '../types.ts';
import type { AnswerConstraint } from './answer-constraint.ts';
import type { SchemaCompiler } from './tools/schema/tool-schema.ts';
import { atPath } from './tools/schema/rule-set.ts';
import { channelTexts } from './thoughts/read-channels.ts';
import type { TemplateFacts } from './template/template-facts.ts';
import { toolGrammar, type CallsBegin } from './tools/tool-grammar.ts';
import type { ToolSyntax } from './tools/tool-syntax.ts';

/**
 * The form that an answer must have: its calls of tools, its output format and its markers. It is plain JSON, which can
 * be sent to another process and be the key of a cache.
 */
export interface AnswerDemand {
  readonly tools: ToolUse | undefined;
  readonly outputFormat: OutputFormat | undefined;
  readonly toolSyntax: ToolSyntax;
  /** Thoughts and answers are messages of their own channels. */
  readonly inChannels: boolean;
  readonly startsInThought: boolean;
  /** Markers that may come before the answer, and after an empty answer before calls; '' for none. */
  readonly answer: { readonly begin: string; readonly end: string };
}

/** Compiles the schemas of a request, and is told of each before it is compiled. */
export interface SchemaWork {
  readonly compile: SchemaCompiler;
  /** `path` begins with `schema` or `tools[i]`. */
  readonly onSchema: (path: string, schema: JsonObject | undefined) => void;
}

/** The white space between a thought and the answer: models write a line break or two. */
const answerGap = '[\\n ]? [\\n ]?';

/** The form that a request demands of its answer; undefined where any text will do. It has no descriptions of tools. */
export function demandOf(
  { prompt, tools: shown, outputFormat }: Pick<GenerationRequest, 'prompt' | 'tools' | 'outputFormat'>,
  { toolSyntax, thoughts, answer }: TemplateFacts,
  startsInThought: boolean,
): AnswerDemand | undefined {
  const tools = shown?.allowed?.length === 0 ? undefined : shown;
  if (tools === undefined && outputFormat === undefined) return undefined;
  const definitions = tools?.definitions.map(({ name, parameters, strict, inputGrammar }) => ({
    name,
    ...(parameters && { parameters }),
    ...(strict === true && { strict }),
    ...(inputGrammar && { inputGrammar }),
  }));
  return {
    tools: tools && definitions && { ...tools, definitions },
    outputFormat,
    toolSyntax,
    inChannels: prompt.kind === 'messages' && thoughts?.syntax.kind === 'channels',
    startsInThought,
    answer: { begin: answer.opened && !startsInThought ? '' : answer.begin, end: answer.end },
  };
}

/**
 * The grammar for answers that meet `demand`. Throws AppError invalid_json_schema or schema_too_complex; its `param`
 * begins with `schema` or `tools[i]`.
 */
export function constrainAnswer(demand: AnswerDemand, work: SchemaWork): AnswerConstraint {
  const ignored: string[] = [];
  const constraint = writeConstraint(demand, { ...work, onIgnored: (paths) => ignored.push(...paths) });
  return ignored.length === 0 ? constraint : { ...constraint, ignored: ignored.slice(0, mostIgnored) };
}

/** How many ignored keywords of a request are named. */
const mostIgnored = 20;

interface NotedWork extends SchemaWork {
  readonly onIgnored: (paths: readonly string[]) => void;
}

function writeConstraint(demand: AnswerDemand, work: NotedWork): AnswerConstraint {
  const { tools, outputFormat, toolSyntax: syntax, startsInThought, answer } = demand;
  const from = startsInThought ? 'thought' : 'start';
  const emptyAnswer = answer.end === '' ? '' : answer.begin + answer.end;
  const calls = (begin: CallsBegin) =>
    tools
      ? toolGrammar({ ...work, ...tools, tools: tools.definitions, syntax, emptyAnswer, from: begin })
      : '';
  if (tools?.required === true) return { gbnf: calls(from), begins: 'answer' };
  if (outputFormat === undefined) return { gbnf: calls('trigger'), begins: 'calls' };
  const document = documentGrammar(outputFormat, documentLead(demand), work);
  const gbnf = tools === undefined ? document : eitherGrammar(calls(from), document);
  return { gbnf, begins: 'answer' };
}

/** Grammar text for what comes before the JSON document in an answer. */
function documentLead({ inChannels, startsInThought, answer: { begin } }: AnswerDemand): string {
  if (!inChannels && begin === '') return startsInThought ? answerGap : '';
  if (!inChannels) return `${answerGap} (${gbnfLiteral(begin)})?`;
  return gbnfLiteral((startsInThought ? channelTexts.nextMessage : '') + channelTexts.finalBegin);
}

function documentGrammar(format: OutputFormat, lead: string, work: NotedWork): string {
  const { compile, onSchema, onIgnored } = work;
  const compiled = () => {
    if (format.kind === 'json-object') return jsonObject;
    if (format.kind !== 'json-schema') return compileText(format);
    onSchema('schema', format.schema);
    const { schema, strict = false } = format;
    return atPath('schema', () => compile(schema, { prefix: 'answer-', strict }));
  };
  const { rootRule, rules, ignored } = compiled();
  onIgnored(ignored.map((path) => `schema.${path}`));
  return grammarText(`${lead} ${rootRule}`.trimStart(), rules);
}

/** A grammar that matches what either of two grammars matches. Apart from `root`, rules of one name must be equal. */
function eitherGrammar(first: string, second: string): string {
  const rules = new Map<string, string>();
  for (const [index, gbnf] of [first, second].entries())
    for (const line of gbnf.split('\n').filter((text) => text !== '')) {
      const [name = '', body = ''] = line.split(/ ::= (.*)/s);
      rules.set(name === 'root' ? `root-${index}` : name, body);
    }
  return grammarText('root-0 | root-1', rules);
}
