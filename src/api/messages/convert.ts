import type { Principal } from '../../accounts/types.ts';
import type { ChatMessage, GenerationRequest } from '../../engine/types.ts';
import { outputSchemaPlace, toolPlaces, type ParameterPlace } from '../generation/wire/to-wire-error.ts';
import { canReason, type NamedModel } from '../model/model-names.ts';
import { toGenerationRequest } from '../parameters/generation-parameters.ts';
import { toReasoningRequest, type ReasoningTokens } from '../parameters/reasoning-request.ts';
import type { SamplingParameters } from '../parameters/sampling-parameters.ts';
import { toToolUse, type ToolChoice } from '../parameters/tools/tool-use.ts';
import { unsupported } from '../request/validate.ts';
import type { PromptParameters } from './schema.ts';

/** A request for the engine, and its paths and places in Anthropic's terms. */
export interface ConvertedMessage {
  readonly request: GenerationRequest;
  /** Paths of parts without effect: tools that run at Anthropic, and thinking where the model cannot. */
  readonly ignored: readonly string[];
  /** Where the request has the parameters that the engine's errors name. */
  readonly places: readonly ParameterPlace[];
}

type Parameters = PromptParameters &
  SamplingParameters & { readonly max_tokens?: number; readonly stop_sequences?: string[] | undefined };

/** Throws AppError if parameters contradict each other or do not fit the model. */
export function convertMessage(
  parameters: Parameters,
  messages: readonly ChatMessage[],
  named: NamedModel,
  principal: Principal,
  maxReasoningTokens: ReasoningTokens,
): ConvertedMessage {
  const { thinking, output_config: output, output_format: oldFormat, max_tokens: maxTokens } = parameters;
  const format = output?.format ?? oldFormat;
  const { tools, places, hosted } = convertTools(parameters);
  const asksToThink = thinking !== undefined && thinking.type !== 'disabled';
  const thinks = asksToThink && canReason(named.model);
  const effort = thinks ? output?.effort : undefined;
  const reasoning = {
    effort,
    effortPath: ['output_config', 'effort'],
    switches: [{ path: ['thinking'], on: thinks || (thinking?.type === 'disabled' ? false : undefined) }],
    ...(thinks &&
      thinking?.type === 'enabled' && {
        budget: { tokens: thinking.budget_tokens, path: ['thinking', 'budget_tokens'] },
      }),
  };
  const fields = {
    prompt: { kind: 'messages' as const, messages },
    maxTokens,
    tools,
    outputFormat: format && { kind: 'json-schema' as const, schema: format.schema },
    reasoning: toReasoningRequest(reasoning, named, maxReasoningTokens, maxTokens),
    topLogprobs: undefined,
  };
  const options = { ...parameters, stop: parameters.stop_sequences };
  const schemaPath = output?.format ? 'output_config.format.schema' : 'output_format.schema';
  return {
    request: toGenerationRequest(options, fields, named, principal),
    ignored: [
      ...hosted,
      ...(asksToThink && !thinks ? ['thinking'] : []),
      ...(output?.effort && effort === undefined ? ['output_config.effort'] : []),
    ],
    places: [[outputSchemaPlace, schemaPath], [/^reasoning\.effort$/, 'output_config.effort'], ...places],
  };
}

/** The tools that the client runs, their places in the request, and the names of those that it does not run. */
function convertTools({ tools = [], tool_choice: choice = { type: 'auto' } }: PromptParameters) {
  const offered = tools.flatMap((tool, index) =>
    'input_schema' in tool ? [{ ...tool, parameters: tool.input_schema, path: ['tools', index] }] : [],
  );
  const hosted = tools.flatMap((tool) => ('input_schema' in tool ? [] : [tool]));
  const demanded = choice.type === 'tool' ? hosted.find(({ name }) => name === choice.name) : undefined;
  if (demanded !== undefined || (choice.type === 'any' && offered.length === 0 && hosted.length > 0))
    throw unsupported(
      ['tool_choice'],
      'Tools that Anthropic defines are not available here: offer one of your own.',
    );
  const isParallel = !('disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use === true);
  const parameters = 'input_schema';
  return {
    tools: toToolUse(offered, toChoice(choice), isParallel, parameters),
    places: toolPlaces(offered, { parameters }),
    hosted: hosted.map(({ type }) => `tools.${type}`),
  };
}

function toChoice(choice: NonNullable<PromptParameters['tool_choice']>): ToolChoice {
  if (choice.type === 'tool')
    return { kind: 'function', chosen: { name: choice.name, path: ['tool_choice', 'name'] } };
  return choice.type === 'any' ? 'required' : choice.type;
}
