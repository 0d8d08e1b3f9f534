import { z } from 'zod';
import type { JsonObject } from '../../env.ts';
import { toJsonSchema } from '../../openapi/json-schema.ts';
import { generationParameters } from '../../parameters/generation-parameters.ts';
import { anyObject } from '../../parameters/schema-parts.ts';
import { createParameterParser } from '../../request/validate.ts';

const { keep_alive: _besideOptions, ...drawing } = generationParameters;

/** The names are Ollama's own, and nearly all of them are those of the other routes. */
const optionsSchema = z.object({ ...drawing, num_predict: z.int().min(-2).optional() });

export type GenerationOptions = z.output<typeof optionsSchema>;

const parse = createParameterParser(z.object({ options: optionsSchema }));

/** `options` in a request: how tokens are drawn, and how many. */
export const options = anyObject.meta({
  ...toJsonSchema(optionsSchema),
  description:
    'Sampling as at the other routes, `stop` and `num_predict` (-1: no limit). Others, such as `num_ctx`, are the ' +
    "server's own affair: they are listed in `x-ignored-parameters`.",
});

/** The options that are known. Throws the AppError of the first error. */
export function parseOptions(given: JsonObject = {}): GenerationOptions {
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  return parse({ options: Object.fromEntries(entries) }).parameters.options;
}

/** The most tokens that `num_predict` allows; undefined: no limit. */
export const maxTokensOf = ({ num_predict: most = -1 }: GenerationOptions): number | undefined =>
  most < 0 ? undefined : most;
