import type { AnswerConstraint } from './constrain-answer.ts';
import type { TemplateFacts } from './template/template-facts.ts';
import { channelTexts } from './thoughts/read-channels.ts';
import { thoughtMarkers } from './thoughts/reasoning-parser.ts';
import type { ThoughtFacts } from './template/thought-facts.ts';
import { gapAround, noMarkers } from './thoughts/thought-tags.ts';
import { syntaxMarkers } from './tools/tool-syntax.ts';
import type { TurnReaderOptions } from './turn-reader.ts';
import type { GenerationRequest, ToolUse } from '../types.ts';

/** How the answer to one request is read and constrained, and how a thought that is too long is ended. */
export interface TurnPlan {
  readonly reader: TurnReaderOptions;
  readonly constraint: AnswerConstraint | undefined;
  /** Texts that tell thoughts and calls apart. They must be decoded to text even where they are control tokens. */
  readonly markers: readonly string[];
  /** The most tokens that a thought may have; undefined: any number. */
  readonly mostThoughtTokens: number | undefined;
  /** The text that ends a thought for the model, so that an answer follows; '' for models without thoughts. */
  readonly closingText: string;
}

/** The plan for `request`, whose answer must match `constraint`; undefined when the answer is nothing but text. */
export function planTurn(
  request: GenerationRequest,
  facts: TemplateFacts,
  startsInThought: boolean,
  constraint: AnswerConstraint | undefined,
): TurnPlan | undefined {
  const { prompt, outputFormat, reasoning } = request;
  const isTurn = prompt.kind === 'messages';
  const tools = !isTurn || request.tools?.allowed?.length === 0 ? undefined : request.tools;
  const { thoughts, answer } = isTurn ? facts : { thoughts: undefined, answer: noMarkers };
  if (tools === undefined && outputFormat === undefined && thoughts === undefined && answer.begin === '')
    return undefined;
  const { toolSyntax } = facts;
  const isBegun = isTurn && prompt.continuesLast === true;
  const thought = { syntax: thoughts?.syntax, startsInThought, isBegun, answer };
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
  if (thoughts.syntax.kind === 'tags') {
    const { tags } = thoughts.syntax;
    return tags.end + gapAround(tags, '\n\n');
  }
  const { messageEnd, nextMessage, finalBegin } = channelTexts;
  // A grammar for the whole answer also has the beginning of the next message, so it is not written here.
  return constraint?.begins === 'answer' ? messageEnd : messageEnd + nextMessage + finalBegin;
}
