import { gbnfLiteral } from '../grammar/gbnf-text.ts';
import { GrammarCache } from '../grammar/grammar-cache.ts';
import { grammarText, jsonObject } from '../grammar/schema-grammar.ts';
import type { AnswerConstraint } from '../prompt/answer-constraint.ts';
import type { TemplateFacts } from '../prompt/template-facts.ts';
import { atPath } from '../prompt/grammar-texts.ts';
import { channelTexts } from '../prompt/read-channels.ts';
import { thoughtMarkers } from '../prompt/reasoning-parser.ts';
import type { ThoughtFacts } from '../prompt/thought-facts.ts';
import { toolGrammar, type CallsBegin } from '../prompt/tool-grammar.ts';
import { syntaxMarkers } from '../prompt/tool-syntax.ts';
import type { TurnReaderOptions } from '../prompt/turn-reader.ts';
import type { GenerationRequest, OutputFormat, ToolUse } from '../types.ts';

/** How the answer to one request is read, constrained and kept from thinking for ever. */
export interface TurnPlan {
  readonly reader: TurnReaderOptions;
  readonly constraint: AnswerConstraint | undefined;
  /** Texts of markers: they must come out of the detokeniser even where they are control tokens. */
  readonly markers: readonly string[];
  /** Most tokens of a thought; undefined: as many as the model likes. */
  readonly mostThoughtTokens: number | undefined;
  /** Ends a thought that the model does not end, so that an answer follows; '' where it does not think. */
  readonly closingText: string;
}

/** Models put a line break or two between a thought and their answer. */
const answerGap = '[\\n ]? [\\n ]?';

/** Compiled schemas of all models and requests. */
const grammars = new GrammarCache();
const compile = (schema: unknown, options: { readonly prefix?: string } = {}) =>
  grammars.compile(schema, options);

/**
 * The plan for `request`; undefined when all that the model writes is plain text.
 * Throws AppError invalid_json_schema, its `param` beginning with `schema` or `tools[i]`.
 */
export function planTurn(
  request: GenerationRequest,
  facts: TemplateFacts,
  startsInThought: boolean,
): TurnPlan | undefined {
  if (request.prompt.kind !== 'messages') return undefined;
  const { tools, outputFormat, reasoning } = request;
  const { thoughts, toolSyntax, answer } = facts;
  if (tools === undefined && outputFormat === undefined && thoughts === undefined && answer.begin === '')
    return undefined;
  const thought = { syntax: thoughts?.syntax, startsInThought, answer };
  const constraint = constraintOf(request, facts, startsInThought);
  return {
    reader: {
      thought,
      calls: tools && { syntax: toolSyntax, tools: callable(tools) },
      onlyCalls: tools?.required === true,
    },
    constraint,
    markers: [...thoughtMarkers(thought), ...(tools === undefined ? [] : syntaxMarkers(toolSyntax))],
    mostThoughtTokens: reasoning?.enabled === true ? reasoning.maxTokens : undefined,
    closingText: closingText(thoughts, constraint),
  };
}

const callable = ({ definitions, allowed }: ToolUse) =>
  definitions.filter(({ name }) => allowed?.includes(name) ?? true);

function closingText(thoughts: ThoughtFacts | undefined, constraint: AnswerConstraint | undefined): string {
  if (thoughts === undefined) return '';
  if (thoughts.syntax.kind === 'tags') return `${thoughts.syntax.tags.end}\n\n`;
  const { messageEnd, nextMessage, finalBegin } = channelTexts;
  // A grammar for the whole answer says which message comes next.
  return constraint?.begins === 'answer' ? messageEnd : messageEnd + nextMessage + finalBegin;
}

function constraintOf(
  { tools, outputFormat }: GenerationRequest,
  facts: TemplateFacts,
  startsInThought: boolean,
): AnswerConstraint | undefined {
  const from = startsInThought ? 'thought' : 'start';
  if (tools?.required === true) return { gbnf: callsGrammar(tools, facts, from), begins: 'answer' };
  if (outputFormat !== undefined) {
    const document = documentGrammar(outputFormat, documentLead(facts, startsInThought));
    const gbnf = tools === undefined ? document : eitherGrammar(callsGrammar(tools, facts, from), document);
    return { gbnf, begins: 'answer' };
  }
  if (tools === undefined) return undefined;
  return { gbnf: callsGrammar(tools, facts, 'trigger'), begins: facts.toolSyntax.triggers };
}

/** A pattern for what stands in front of a document in the answer. */
function documentLead({ thoughts }: TemplateFacts, startsInThought: boolean): string {
  if (thoughts?.syntax.kind !== 'channels') return startsInThought ? answerGap : '';
  return gbnfLiteral((startsInThought ? channelTexts.nextMessage : '') + channelTexts.finalBegin);
}

function documentGrammar(format: OutputFormat, lead: string): string {
  const { rootRule, rules } =
    format.kind === 'json-object'
      ? jsonObject
      : atPath('schema', () => compile(format.schema, { prefix: 'answer-' }));
  return grammarText(`${lead} ${rootRule}`.trimStart(), rules);
}

/** A grammar of what either of two matches; rules of one name are the same in both, save for `root`. */
function eitherGrammar(first: string, second: string): string {
  const rules = new Map<string, string>();
  for (const [index, gbnf] of [first, second].entries())
    for (const line of gbnf.split('\n').filter((text) => text !== '')) {
      const [name = '', body = ''] = line.split(/ ::= (.*)/s);
      rules.set(name === 'root' ? `root-${index}` : name, body);
    }
  return grammarText('root-0 | root-1', rules);
}

function callsGrammar(tools: ToolUse, { toolSyntax }: TemplateFacts, from: CallsBegin): string {
  const { definitions, allowed, parallel } = tools;
  return toolGrammar({ syntax: toolSyntax, tools: definitions, allowed, parallel, compile, from });
}
