import type { Principal } from '../../accounts/types.ts';
import type { ChatMessage, GenerationRequest, OutputFormat, ToolUse } from '../../engine/types.ts';
import { AppError, invalidValue } from '../../errors/errors.ts';
import type { AttachedFiles } from '../attachments/attached-files.ts';
import { canReason, type NamedModel } from '../model/model-names.ts';
import { toGenerationRequest } from '../parameters/generation-parameters.ts';
import {
  toReasoningRequest,
  type ReasoningTokens,
  sortTemplateVariables,
} from '../parameters/reasoning-request.ts';
import { toToolUse } from '../parameters/tools/tool-use.ts';
import { toolPlaces, type ParameterPlace } from '../generation/wire/to-wire-error.ts';
import { toChatMessages } from './convert-messages.ts';
import type { ChatCompletionParameters } from './schema.ts';
import { toOfferedTools, toToolChoice } from './tools.ts';

/** The engine's request. Throws AppError if parameters contradict each other or do not fit the model. */
export function toChatRequest(
  parameters: ChatCompletionParameters,
  named: NamedModel,
  principal: Principal,
  maxReasoningTokens: ReasoningTokens,
  files: AttachedFiles,
  outputFormat?: OutputFormat,
): GenerationRequest {
  const messages = toChatMessages(parameters.messages, files);
  const isBegun = continuesLast(parameters, messages.at(-1), outputFormat);
  const maxTokens = parameters.max_completion_tokens ?? parameters.max_tokens;
  const fields = {
    prompt: { kind: 'messages' as const, messages, ...(isBegun && { continuesLast: true }) },
    maxTokens,
    tools: toTools(parameters),
    outputFormat,
    topLogprobs: toTopLogprobs(parameters),
    prediction: toPrediction(parameters),
    ...toReasoning(parameters, named, maxReasoningTokens, maxTokens),
  };
  return toGenerationRequest(parameters, fields, named, principal);
}

/** The text that the answer is expected to be. */
function toPrediction({ prediction }: ChatCompletionParameters): string | undefined {
  const content = prediction?.content;
  if (content === undefined || typeof content === 'string') return content;
  return content.map(({ text }) => text).join('');
}

/** Whether the last message is to be continued. Throws AppError where it is no answer that has a rest. */
function continuesLast(
  { continue_final_message: wish = false, tool_choice: choice = 'auto' }: ChatCompletionParameters,
  last: ChatMessage | undefined,
  outputFormat: OutputFormat | undefined,
): boolean {
  if (!wish) return false;
  const param = 'continue_final_message';
  const isEmpty = last?.content === '' && (last.reasoning ?? '') === '';
  if (last?.role !== 'assistant' || isEmpty || last.toolCalls !== undefined)
    throw invalidValue(
      param,
      `'${param}' needs an assistant's text or thought, without calls, as the last message.`,
    );
  if (outputFormat === undefined && (choice === 'auto' || choice === 'none')) return true;
  throw new AppError(
    'unsupported_value',
    `'${param}' cannot go with a form that the answer must have, or with a call that must come. Ask for the whole answer.`,
    { param },
  );
}

function toTools({
  tools = [],
  tool_choice: choice = 'auto',
  parallel_tool_calls: parallel = true,
}: ChatCompletionParameters): ToolUse | undefined {
  return toToolUse(toOfferedTools(tools), toToolChoice(choice), parallel);
}

/** The places of all parameters that the engine's errors name, save for that of the answer's form. */
export function placesIn({
  tools = [],
  reasoning,
  reasoning_effort: effort,
}: ChatCompletionParameters): readonly ParameterPlace[] {
  return [
    [/^templateVariables(?=\.)/, 'chat_template_kwargs'],
    ...(effort === undefined && reasoning?.effort
      ? []
      : [[/^reasoning\.effort$/, 'reasoning_effort'] as const]),
    ...toolPlaces(toOfferedTools(tools), { grammar: ['format', 'grammar', 'definition'] }),
  ];
}

/** How the model shall reason, by any of the fields that may say so. */
function toReasoning(
  parameters: ChatCompletionParameters,
  named: NamedModel,
  maxReasoningTokens: ReasoningTokens,
  maxTokens: number | undefined,
) {
  const { reasoning_effort: effort, reasoning, thinking, chat_template_kwargs: given } = parameters;
  const isOfModel = canReason(named.model);
  // A template without thoughts may still read these names, so they stay variables there.
  const sorted = isOfModel ? sortTemplateVariables(given) : undefined;
  const budget = reasoning?.max_tokens
    ? { tokens: reasoning.max_tokens, path: ['reasoning', 'max_tokens'] }
    : thinking?.budget_tokens
      ? { tokens: thinking.budget_tokens, path: ['thinking', 'budget_tokens'] }
      : undefined;
  const byType = { enabled: true, disabled: false, auto: undefined };
  const switches = [
    { path: ['reasoning_enabled'], on: parameters.reasoning_enabled },
    { path: ['reasoning', 'enabled'], on: reasoning?.enabled ?? undefined },
    { path: ['thinking', 'type'], on: thinking && byType[thinking.type] },
    ...(sorted?.switches ?? []),
  ];
  const isNested = effort === undefined && (reasoning?.effort ?? undefined) !== undefined;
  const asked = {
    effort: effort ?? reasoning?.effort ?? sorted?.effort,
    effortPath: isNested ? ['reasoning', 'effort'] : ['reasoning_effort'],
    switches,
    budget,
  };
  return {
    reasoning: toReasoningRequest(asked, named, maxReasoningTokens, maxTokens),
    templateVariables: sorted === undefined ? given : sorted.variables,
  };
}

function toTopLogprobs(parameters: ChatCompletionParameters): number | undefined {
  const { logprobs = false, top_logprobs: topLogprobs = 0 } = parameters;
  if (logprobs) return topLogprobs;
  if (topLogprobs > 0) {
    throw invalidValue('top_logprobs', "'top_logprobs' needs 'logprobs': true. Set it, or leave both out.");
  }
  return undefined;
}
