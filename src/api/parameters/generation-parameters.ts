import { z } from 'zod';
import type { Principal } from '../../accounts/types.ts';
import type { ChatMessage, GenerationRequest, SamplingOptions, ToolUse } from '../../engine/types.ts';
import { AppError } from '../../errors/errors.ts';
import type { NamedModel } from '../model/model-names.ts';
import { keepAlive } from './keep-alive.ts';
import { toOutputFormat } from './output-format.ts';
import type { OutputFormatParameter } from './output-format.ts';
import { toReasoningRequest } from './reasoning-request.ts';
import type { ReasoningParameters, ReasoningTokens } from './reasoning-request.ts';
import { samplingParameters, toChosenSampling, toSamplingOptions } from './sampling-parameters.ts';
import type { SamplingParameters } from './sampling-parameters.ts';
import { list } from './schema-parts.ts';

const maxStopSequences = 16;
const maxStopChars = 512;
const maxModelIdChars = 256;

/** The id of a model, an alias or an `-r` id. */
export const modelName = z.string().min(1).max(maxModelIdChars);

const stopSequence = z.string().min(1).max(maxStopChars);
export const stopSequences = list(stopSequence, { max: maxStopSequences });

/** The parameters that say how a completion is sent, of chat or of plain text. */
export const streamParameters = {
  stream: z.boolean().optional(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).optional(),
  n: z.int().optional(),
};

const endParameters = {
  stop: z.union([stopSequence, stopSequences]).optional(),
  min_tokens: z.int().min(0).optional(),
  ignore_eos: z.boolean().optional(),
  keep_alive: keepAlive.optional(),
};

/** The parameters that say how tokens are drawn and when a generation ends. */
export const generationParameters = { ...samplingParameters, ...endParameters };

/** An endpoint may lack any of these. */
type GenerationParameters = SamplingParameters & Partial<z.output<z.ZodObject<typeof endParameters>>>;

/** What is the same in the requests of all generating endpoints; throws invalid_value for contradicting parameters. */
export function toGenerationOptions(
  parameters: GenerationParameters,
  maxTokens: number | undefined,
  { model }: NamedModel,
  { accountId, keyId }: Principal,
  defaults?: SamplingOptions,
) {
  const { min_tokens: minTokens = 0, ignore_eos: ignoreEos = false, keep_alive: keepAliveMs } = parameters;
  checkMinTokens(minTokens, maxTokens);
  return {
    modelId: model.id,
    accountId,
    keyId,
    sampling: toSamplingOptions(parameters, defaults),
    chosenSampling: toChosenSampling(parameters),
    stop: [parameters.stop ?? []].flat().map((sequence) => sequence.toWellFormed()),
    maxTokens,
    minTokens,
    ignoreEos,
    ...(keepAliveMs !== undefined && { keepAliveMs }),
  };
}

/** A request for an answer to a conversation, in the parts that its endpoint's parameters were converted to. */
export interface ChatParts {
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number | undefined;
  readonly topLogprobs: number | undefined;
  readonly tools: ToolUse | undefined;
  readonly outputFormat: OutputFormatParameter | null | undefined;
  readonly reasoning: ReasoningParameters;
}

/** The engine's request. Throws AppError if parameters contradict each other or do not fit the model. */
export function toChatRequest(
  parameters: GenerationParameters,
  { messages, maxTokens, topLogprobs, tools, ...parts }: ChatParts,
  named: NamedModel,
  principal: Principal,
  maxReasoningTokens: ReasoningTokens,
): GenerationRequest {
  const outputFormat = toOutputFormat(parts.outputFormat);
  const reasoning = toReasoningRequest(parts.reasoning, named, maxReasoningTokens, maxTokens);
  return {
    ...toGenerationOptions(parameters, maxTokens, named, principal),
    prompt: { kind: 'messages', messages },
    topLogprobs,
    ...(tools && { tools }),
    ...(outputFormat && { outputFormat }),
    ...(reasoning && { reasoning }),
  };
}

function checkMinTokens(minTokens: number, maxTokens: number | undefined): void {
  if (maxTokens === undefined || minTokens <= maxTokens) return;
  throw new AppError(
    'invalid_value',
    `'min_tokens' must be at most the maximum of ${maxTokens} tokens that the request has.`,
    { param: 'min_tokens' },
  );
}
