import { z } from 'zod';
import { defaultSampling, type SamplingOptions } from '../../engine/generation/sampling-options.ts';
import { anyObject, refuse } from './schema-parts.ts';

const maxLogitBiasEntries = 1024;

const range = { type: 'number', minimum: -100, maximum: 100 };
const biasPair = {
  type: 'array',
  prefixItems: [{ type: 'integer', minimum: 0 }, { anyOf: [range, { const: false }] }],
  minItems: 2,
  maxItems: 2,
};

/** An object, or llama-server's list of pairs, in which `false` is never. */
const biasesByToken = z.unknown().transform((given) => {
  if (!Array.isArray(given) || given.length > maxLogitBiasEntries || !given.every(Array.isArray))
    return given;
  return Object.fromEntries(
    given.map(([token, bias]: unknown[]) => [
      typeof token === 'number' ? String(token) : '',
      bias === false ? -100 : bias,
    ]),
  );
});

/** The keys are token ids. In a Map a hostile `__proto__` is a key like any other. */
const logitBias = biasesByToken
  .pipe(anyObject)
  .transform((entries, context): ReadonlyMap<number, number> => {
    const biases = new Map<number, number>();
    const keys = Object.keys(entries);
    if (keys.length > maxLogitBiasEntries) {
      return refuse(context, `must have at most ${maxLogitBiasEntries} entries`);
    }
    for (const key of keys) {
      const bias = entries[key];
      if (!/^\d{1,9}$/.test(key)) {
        return refuse(context, 'must have token ids, written as whole numbers, for names');
      }
      if (typeof bias !== 'number' || !(bias >= -100 && bias <= 100)) {
        return refuse(context, 'must be a number from -100 to 100', { path: [key] });
      }
      biases.set(Number(key), bias);
    }
    return biases;
  })
  .meta({
    anyOf: [
      { type: 'object', additionalProperties: range },
      { type: 'array', items: biasPair },
    ],
  });

/** Any integer, as the unsigned 32-bit seed that the engine takes. */
const seed = z
  .number()
  // Not z.int(): clients draw 64-bit seeds. JSON holds these only roughly, but any fixed mapping is good enough.
  .refine(Number.isInteger, { error: 'must be an integer' })
  .meta({ type: 'integer' });

/** The same 32-bit seed for the same integer; an integer that is one already stays as it is. */
function toSeed(integer: number): number {
  const high = Math.floor(integer / 2 ** 32);
  // The multiplication (by 2^32 / golden ratio) spreads the high half over all bits; it would be cut off otherwise.
  return (Math.imul(high, 0x9e3779b1) ^ (integer % 2 ** 32)) >>> 0;
}

/** llama.cpp's two ways to ask for any seed, in its server and in Ollama: the number 2^32 - 1, read with a sign or without. */
const anySeeds: readonly unknown[] = [-1, 2 ** 32 - 1];

/** `seed` where llama.cpp's clients ask: `-1` is a new one each time. */
export const orRandom = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((given) => (anySeeds.includes(given) ? undefined : given), schema)
    .describe('-1: another one each time.');

const repeatPenalty = z.number().gt(0).max(10);

/** One sampling parameter: the values that a request may have, and the option of the engine that it sets. */
function row<Name extends keyof SamplingOptions, Given extends SamplingOptions[Name]>(
  option: Name,
  schema: z.ZodType<Given>,
) {
  return { option, schema: schema.optional() };
}

/** `all`, of which each option has at least one: the compiler names an option that has none. */
function everyOption<All extends Record<string, { readonly option: keyof SamplingOptions }>>(
  all: All & Record<Exclude<keyof SamplingOptions, All[keyof All]['option']>, never>,
): All {
  return all;
}

/** Every sampling parameter, under the name that it has at every generating endpoint. */
const rows = everyOption({
  temperature: row('temperature', z.number().min(0).max(2)),
  top_p: row('topP', z.number().min(0).max(1)),
  // To vLLM -1 is no limit, as 0 is here.
  top_k: row(
    'topK',
    z
      .int()
      .min(-1)
      .transform((most) => Math.max(0, most)),
  ),
  min_p: row('minP', z.number().min(0).max(1)),
  seed: row('seed', seed.transform(toSeed)),
  frequency_penalty: row('frequencyPenalty', z.number().min(-2).max(2)),
  presence_penalty: row('presencePenalty', z.number().min(-2).max(2)),
  repeat_penalty: row('repeatPenalty', repeatPenalty),
  // vLLM's name for it.
  repetition_penalty: row('repeatPenalty', repeatPenalty),
  xtc_probability: row('xtcProbability', z.number().min(0).max(1)),
  xtc_threshold: row('xtcThreshold', z.number().min(0).max(1)),
  logit_bias: row('logitBias', logitBias),
});

type Rows = typeof rows;

/** The fields of a request's schema that say how tokens are drawn. */
export const samplingParameters = Object.fromEntries(
  Object.entries(rows).map(([name, { schema }]) => [name, schema]),
) as { readonly [Name in keyof Rows]: Rows[Name]['schema'] };

export type SamplingParameters = z.output<z.ZodObject<typeof samplingParameters>>;

const names = Object.keys(rows) as (keyof Rows)[];

/** The sampling options that a request sets itself, or the operator for the model. */
export function toChosenSampling(
  parameters: SamplingParameters,
  ofModel: Partial<SamplingOptions>,
): readonly (keyof SamplingOptions)[] {
  const chosen = names.filter((name) => parameters[name] !== undefined).map((name) => rows[name].option);
  return [...new Set([...chosen, ...(Object.keys(ofModel) as (keyof SamplingOptions)[])])];
}

/** Those of `sampling` that are numbers, by the names of their parameters. */
export const toWireSampling = (sampling: Partial<SamplingOptions>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = sampling[rows[name].option];
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );

/** The sampling options of a request; `defaults` hold where it says nothing. */
export function toSamplingOptions(
  parameters: SamplingParameters,
  defaults: SamplingOptions = defaultSampling,
): SamplingOptions {
  const given = names.flatMap((name) =>
    parameters[name] === undefined ? [] : [[rows[name].option, parameters[name]]],
  );
  return { ...defaults, ...(Object.fromEntries(given) as Partial<SamplingOptions>) };
}
