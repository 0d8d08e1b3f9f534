import type { AnswerConstraint } from './answer-constraint.ts';
import type { TemplateFacts } from './template/template-facts.ts';
import { channelTexts } from './thoughts/read-channels.ts';
import { thoughtMarkers } from './thoughts/reasoning-parser.ts';
import type { ThoughtFacts } from './thoughts/thought-facts.ts';
import { syntaxMarkers } from './tools/tool-syntax.ts';
import type { TurnReaderOptions } from './turn-reader.ts';
import type { GenerationRequest, ToolUse } from '../types.ts';

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

/** The plan for `request`, whose answer `constraint` binds; undefined when all that the model writes is plain text. */
export function planTurn(
  request: GenerationRequest,
  facts: TemplateFacts,
  startsInThought: boolean,
  constraint: AnswerConstraint | undefined,
): TurnPlan | undefined {
  if (request.prompt.kind !== 'messages') return undefined;
  const { tools, outputFormat, reasoning } = request;
  const { thoughts, toolSyntax, answer } = facts;
  if (tools === undefined && outputFormat === undefined && thoughts === undefined && answer.begin === '')
    return undefined;
  const thought = { syntax: thoughts?.syntax, startsInThought, answer };
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
