import { z } from 'zod';
import type { RequestDefaults } from '../../catalog/types.ts';

const text = z.string().min(1);
const share = z.number().min(0).max(1);
const penalty = z.number().min(-2).max(2);

/** Parameters of requests that an entry may set, under their names in the API, and the options that they set. */
const sampling = {
  temperature: { option: 'temperature', schema: z.number().min(0).max(2).optional() },
  top_p: { option: 'topP', schema: share.optional() },
  top_k: { option: 'topK', schema: z.int().min(0).optional() },
  min_p: { option: 'minP', schema: share.optional() },
  repeat_penalty: { option: 'repeatPenalty', schema: z.number().gt(0).max(10).optional() },
  frequency_penalty: { option: 'frequencyPenalty', schema: penalty.optional() },
  presence_penalty: { option: 'presencePenalty', schema: penalty.optional() },
} as const;

const samplingNames = Object.keys(sampling) as (keyof typeof sampling)[];

/** The keys of a model's entry that hold for requests which say nothing of their own. */
export const requestDefaultShape = {
  ...(Object.fromEntries(samplingNames.map((name) => [name, sampling[name].schema])) as {
    readonly [Name in keyof typeof sampling]: (typeof sampling)[Name]['schema'];
  }),
  stop: z
    .union([text, z.array(text).max(16)], { error: 'must be a text, or a list of up to 16 texts' })
    .optional(),
  system: text.optional(),
};

type Given = z.output<z.ZodObject<typeof requestDefaultShape>>;

/** The settings of requests to the model that name none; undefined: nothing is set. */
export function toRequestDefaults(entry: Given): RequestDefaults | undefined {
  const { stop, system } = entry;
  const set = samplingNames.flatMap((name) =>
    entry[name] === undefined ? [] : [[sampling[name].option, entry[name]] as const],
  );
  if (set.length === 0 && stop === undefined && system === undefined) return undefined;
  return { sampling: Object.fromEntries(set), stop: stop === undefined ? undefined : [stop].flat(), system };
}
