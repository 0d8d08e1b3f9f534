import { z } from 'zod';
import type { Principal } from '../../accounts/types.ts';
import type { GenerationRequest, ModelUse, Prompt } from '../../engine/types.ts';
import { defaultSampling } from '../../engine/generation/sampling-options.ts';
import { invalidValue } from '../../errors/errors.ts';
import { fillsIn, toModelUse, type NamedModel } from '../model/model-names.ts';
import { unsupported } from '../request/validate.ts';
import {
  samplingParameters,
  toChosenSampling,
  toSamplingOptions,
  type SamplingParameters,
} from './sampling-parameters.ts';
import { list, refuse } from './schema-parts.ts';
import { toDurationMs } from '../../config/values/duration.ts';

/** `keep_alive`: how long the model stays in memory afterwards, in ms; Infinity for ever. Given as `5m` or seconds. */
export const keepAlive = z
  .union([z.string(), z.number()])
  .transform((value, context): number => {
    const durationMs = toDurationMs(typeof value === 'string' || value === -1 ? value : `${value}s`);
    if (durationMs !== undefined) return durationMs;
    return refuse(context, 'must be a duration such as 30s, 5m or 1h, a number of seconds, or -1');
  })
  .describe('How long the model stays in memory afterwards: `5m`, seconds, 0 or -1 for ever.');

const maxStopSequences = 16;
const maxStopChars = 512;
const maxModelIdChars = 256;

/** The id of a model, an alias or an `-r` id. */
export const modelName = z.string().min(1).max(maxModelIdChars);

export const vectorDimensions = z
  .int()
  .min(1)
  .describe('As many as the model has, or fewer where the operator allows it to be cut.');

const stopSequence = z.string().min(1).max(maxStopChars);
export const stopSequences = list(stopSequence, { max: maxStopSequences });

/** Whether events are padded to one length, so that their length does not tell the text. They are not, here. */
export const obfuscation = z.boolean().refine((isWanted) => !isWanted, {
  error: 'must be false: events are not padded here',
  params: { code: 'unsupported_value' },
});

/** The parameters that say how a completion is sent, of chat or of plain text. */
export const streamParameters = {
  stream: z.boolean().optional(),
  stream_options: z
    .object({
      include_usage: z.boolean().nullish(),
      // As vLLM has it.
      continuous_usage_stats: z.boolean().nullish(),
      include_obfuscation: obfuscation.nullish(),
    })
    .optional(),
  n: z.int().optional(),
};

/**
 * Parameters for accounting and routing that clients of OpenAI and of local servers send. Without effect here, save that a
 * text is generated when nobody else waits where `service_tier` is `flex`.
 */
export const quietParameters = {
  user: z.string().optional(),
  metadata: z.unknown().optional(),
  service_tier: z.unknown().optional(),
  safety_identifier: z.unknown().optional(),
  prompt_cache_key: z.unknown().optional(),
  prompt_cache_retention: z.unknown().optional(),
  // Prompts are always taken from the cache where they can be.
  cache_prompt: z.unknown().optional(),
};

const endParameters = {
  stop: z.union([stopSequence, stopSequences]).optional(),
  min_tokens: z.int().min(0).optional(),
  ignore_eos: z.boolean().optional(),
  keep_alive: keepAlive.optional(),
};

/** A sampler that local servers have and that is not here, at a value that asks for nothing. */
const absentSampler = (remedy: string, neutral: (value: number) => boolean) =>
  z
    .number()
    .refine(neutral, { error: `is not supported here: ${remedy}`, params: { code: 'unsupported_value' } })
    .optional();

const absentSamplers = {
  dry_multiplier: absentSampler(
    'leave it out, or use repeat_penalty or frequency_penalty',
    (value) => value === 0,
  ),
  top_n_sigma: absentSampler('leave it out, or use min_p', (value) => value <= 0),
} satisfies Record<string, z.ZodType> & { readonly [Name in keyof SamplingParameters]?: never };

/** The parameters that say how tokens are drawn and when a generation ends. */
export const generationParameters = { ...samplingParameters, ...absentSamplers, ...endParameters };

/** An endpoint may lack any of these. */
type GenerationParameters = SamplingParameters &
  Partial<z.output<z.ZodObject<typeof endParameters>>> & { readonly service_tier?: unknown };

/** The fields of the engine's request that all generating endpoints read alike. */
type SharedField = 'sampling' | 'chosenSampling' | 'stop' | 'minTokens' | 'ignoreEos' | keyof ModelUse;

/** The engine's request, with those of `fields` that are set. Throws invalid_value for a contradiction. */
export function toGenerationRequest(
  parameters: GenerationParameters,
  { maxTokens, topLogprobs, ...fields }: Omit<GenerationRequest, SharedField>,
  { model, others }: NamedModel,
  principal: Principal,
  defaults = defaultSampling,
): GenerationRequest {
  const { prompt } = fields;
  const hasGap = prompt.kind !== 'messages' && prompt.suffix !== undefined;
  const fit = hasGap && model.upstream === undefined && !fillsIn(model) && others?.(fillsIn);
  if (fit) throw unsupported(['suffix'], `This model has no fill-in-the-middle tokens: use ${fit}.`);
  const { min_tokens: minTokens = 0, ignore_eos: ignoreEos = false, keep_alive: keepAliveMs } = parameters;
  checkMinTokens(minTokens, maxTokens);
  const caller = parameters.service_tier === 'flex' ? { ...principal, isBackground: true } : principal;
  const set = Object.entries(fields).filter(([, value]) => value !== undefined);
  const { sampling: ofModel = {}, stop: modelStop = [] } = model.defaults ?? {};
  return {
    ...toModelUse(model, caller, keepAliveMs),
    sampling: toSamplingOptions(parameters, { ...defaults, ...ofModel }),
    chosenSampling: toChosenSampling(parameters, ofModel),
    stop: [parameters.stop ?? modelStop].flat().map((sequence) => sequence.toWellFormed()),
    maxTokens,
    minTokens,
    ignoreEos,
    topLogprobs,
    ...(Object.fromEntries(set) as typeof fields),
    prompt: withSystem(fields.prompt, model.defaults?.system),
  };
}

/** The conversation with the model's own system message, where it has none. */
function withSystem(prompt: Prompt, system: string | undefined): Prompt {
  if (system === undefined || prompt.kind !== 'messages') return prompt;
  if (prompt.messages.some(({ role }) => role === 'system')) return prompt;
  return { ...prompt, messages: [{ role: 'system', content: system }, ...prompt.messages] };
}

function checkMinTokens(minTokens: number, maxTokens: number | undefined): void {
  if (maxTokens === undefined || minTokens <= maxTokens) return;
  throw invalidValue(
    'min_tokens',
    `'min_tokens' must be at most the maximum of ${maxTokens} tokens that the request has.`,
  );
}
