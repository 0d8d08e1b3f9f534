import { z } from 'zod';
import { defaultSampling } from '../../engine/default-sampling.ts';
import type { SamplingOptions } from '../../engine/types.ts';
import { AppError } from '../../errors.ts';
import { anyObject, list } from './schema-parts.ts';

const maxStopSequences = 16;
const maxStopChars = 512;
const maxLogitBiasEntries = 1024;
const maxModelIdChars = 256;

/** The id of a model, an alias or an `-r` id. */
export const modelName = z.string().min(1).max(maxModelIdChars);

const stopSequence = z.string().min(1).max(maxStopChars);

/** `stop`: one sequence or several. */
export const stopParameter = z.union([stopSequence, list(stopSequence, { max: maxStopSequences })]);

/** Token ids are the keys; a Map keeps a hostile `__proto__` from being anything special. */
const logitBias = anyObject
  .transform((entries, context): ReadonlyMap<number, number> => {
    const biases = new Map<number, number>();
    const refuse = (complaint: string, key?: string): typeof z.NEVER => {
      context.issues.push({
        code: 'custom',
        message: complaint,
        input: entries,
        ...(key === undefined ? undefined : { path: [key] }),
      });
      return z.NEVER;
    };
    const keys = Object.keys(entries);
    if (keys.length > maxLogitBiasEntries) return refuse(`must have at most ${maxLogitBiasEntries} entries`);
    for (const key of keys) {
      const bias = entries[key];
      if (!/^\d{1,9}$/.test(key)) return refuse('must have token ids, written as whole numbers, for names');
      if (typeof bias !== 'number' || !(bias >= -100 && bias <= 100)) {
        return refuse('must be a number from -100 to 100', key);
      }
      biases.set(Number(key), bias);
    }
    return biases;
  })
  .meta({ additionalProperties: { type: 'number', minimum: -100, maximum: 100 } });

/** How tokens are drawn, under the names that every generating endpoint has for it. */
export const samplingParameters = {
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
  min_p: z.number().min(0).max(1).optional(),
  // Not z.int(): clients draw 64-bit seeds, which JSON numbers hold only roughly, and any fixed mapping will do.
  seed: z
    .number()
    .refine(Number.isInteger, { error: 'must be an integer' })
    .meta({ type: 'integer' })
    .optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  repeat_penalty: z.number().gt(0).max(10).optional(),
  logit_bias: logitBias.optional(),
};

type SamplingParameters = z.output<z.ZodObject<typeof samplingParameters>>;

/** What the engine is told; `defaults` hold where the request says nothing. */
export function toSamplingOptions(
  parameters: SamplingParameters,
  defaults: SamplingOptions = defaultSampling,
): SamplingOptions {
  return {
    temperature: parameters.temperature ?? defaults.temperature,
    topP: parameters.top_p ?? defaults.topP,
    topK: parameters.top_k ?? defaults.topK,
    minP: parameters.min_p ?? defaults.minP,
    seed: parameters.seed === undefined ? defaults.seed : toSeed(parameters.seed),
    frequencyPenalty: parameters.frequency_penalty ?? defaults.frequencyPenalty,
    presencePenalty: parameters.presence_penalty ?? defaults.presencePenalty,
    repeatPenalty: parameters.repeat_penalty ?? defaults.repeatPenalty,
    logitBias: parameters.logit_bias ?? defaults.logitBias,
  };
}

/** An unsigned 32-bit seed for any integer: the same for the same, and itself where it already is one. */
export function toSeed(integer: number): number {
  const high = Math.floor(integer / 2 ** 32);
  // Multiplying spreads the high half over all bits (2^32 / golden ratio), so that it is not just cut off.
  return (Math.imul(high, 0x9e3779b1) ^ (integer % 2 ** 32)) >>> 0;
}

export function toStopSequences(stop: z.output<typeof stopParameter> | undefined): readonly string[] {
  if (stop === undefined) return [];
  return (typeof stop === 'string' ? [stop] : stop).map((sequence) => sequence.toWellFormed());
}

/** Throws invalid_value where `min_tokens` is more than the most that the request allows. */
export function checkMinTokens(minTokens: number, maxTokens: number | undefined): void {
  if (maxTokens === undefined || minTokens <= maxTokens) return;
  throw new AppError(
    'invalid_value',
    `'min_tokens' must be at most the maximum of ${maxTokens} tokens that the request has.`,
    { param: 'min_tokens' },
  );
}
