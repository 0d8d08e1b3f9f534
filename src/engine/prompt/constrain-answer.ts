import { jsonObject } from '../../grammar/compile-schema.ts';
import { compileText } from '../../grammar/compile-text.ts';
import { gbnfLiteral, grammarText, type CompiledSchema } from '../../grammar/gbnf.ts';
import type { GenerationRequest, JsonObject, OutputFormat, ToolUse } from '../types.ts';
import type { SchemaCompiler } from './tools/schema/tool-schema.ts';
import { atPath } from './tools/schema/rule-set.ts';
import { channelTexts } from './thoughts/read-channels.ts';
import type { TemplateFacts } from './template/template-facts.ts';
import { toolGrammar } from './tools/tool-grammar.ts';
import type { ToolSyntax } from './tools/tool-syntax.ts';

/** A grammar for the model's answer, and the place in the answer where it begins to apply. */
export interface AnswerConstraint {
  readonly gbnf: string;
  /** `answer`: at the first token of the answer, after a thought if there is one. `calls`: where a call begins. */
  readonly begins: 'answer' | 'calls';
  /** Keywords of the request's schemas that are unknown and ignored; their paths begin with `schema` or `tools[i]`. */
  readonly ignored?: readonly string[];
}

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
  const { tools, outputFormat, toolSyntax: syntax, startsInThought, answer } = demand;
  const onlyCalls = tools?.required === true;
  const begins = onlyCalls || outputFormat ? 'answer' : 'calls';
  const from = begins === 'calls' ? 'trigger' : startsInThought ? 'thought' : 'start';
  const emptyAnswer = answer.end === '' ? '' : answer.begin + answer.end;
  const document = outputFormat && !onlyCalls && documentGrammar(outputFormat, documentLead(demand), work);
  const calls =
    tools && toolGrammar({ ...work, ...tools, tools: tools.definitions, syntax, emptyAnswer, from });
  // Rules of one name are equal in both.
  const grammars = [calls, document].filter((grammar) => grammar !== undefined && grammar !== false);
  const rules = new Map(grammars.flatMap((grammar) => [...grammar.rules]));
  const ignored = grammars.flatMap((grammar) => grammar.ignored).slice(0, mostIgnored);
  const gbnf = grammarText(grammars.map(({ rootRule }) => rootRule).join(' | '), rules);
  return { gbnf, begins, ...(ignored.length > 0 && { ignored }) };
}

/** How many ignored keywords of a request are named. */
const mostIgnored = 20;

/** Grammar text for the part of an answer before its JSON document. */
function documentLead({ inChannels, startsInThought, answer: { begin } }: AnswerDemand): string {
  if (!inChannels && begin === '') return startsInThought ? answerGap : '';
  if (!inChannels) return `${answerGap} (${gbnfLiteral(begin)})?`;
  return gbnfLiteral((startsInThought ? channelTexts.nextMessage : '') + channelTexts.finalBegin);
}

function documentGrammar(
  format: OutputFormat,
  lead: string,
  { compile, onSchema }: SchemaWork,
): CompiledSchema {
  const compiled = () => {
    if (format.kind === 'json-object') return jsonObject;
    if (format.kind !== 'json-schema') return compileText(format);
    onSchema('schema', format.schema);
    const { schema, strict = false } = format;
    return atPath('schema', () => compile(schema, { prefix: 'answer-', strict }));
  };
  const { rootRule, rules, ignored } = compiled();
  return {
    rootRule: `${lead} ${rootRule}`.trimStart(),
    rules,
    ignored: ignored.map((path) => `schema.${path}`),
  };
}
