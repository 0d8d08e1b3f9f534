import { z } from 'zod';
import { keepAlive } from '../parameters/keep-alive.ts';
import { modelName, quietParameters } from '../parameters/generation-parameters.ts';
import { textInputs } from '../parameters/text-inputs.ts';
import { createParameterParser } from '../request/validate.ts';

const maxInputs = 2048;

/** Every parameter that the endpoint knows, including those that it ignores and those that it refuses. */
export const embeddingSchema = z.object({
  model: modelName,
  input: textInputs({ max: maxInputs, mayBeEmpty: false }),
  encoding_format: z.enum(['float', 'base64']).optional(),
  dimensions: z.int().min(1).optional(),
  keep_alive: keepAlive.optional(),

  ...quietParameters,
});

export const parseEmbedding = createParameterParser(embeddingSchema);
