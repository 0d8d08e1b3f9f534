import { z } from 'zod';
import { namedParameters } from '../../openapi/json-schema.ts';
import { modelName } from '../../parameters/generation-parameters.ts';
import { anyObject } from '../../parameters/schema-parts.ts';
import { textInputs } from '../../parameters/text-inputs.ts';
import { createParameterParser } from '../../request/validate.ts';
import { ollamaKeepAlive } from '../generation/schema.ts';

const maxInputs = 2048;

const common = {
  model: modelName,
  keep_alive: ollamaKeepAlive.optional(),
  // All of them are the server's own affair where nothing is drawn.
  options: anyObject.optional(),
};

export const embedSchema = namedParameters('OllamaEmbed', {
  ...common,
  input: textInputs({ max: maxInputs, mayBeEmpty: false }),
  truncate: z.boolean().optional().meta({
    default: true,
    description: 'A text that is too long is cut off; else it is an error.',
  }),
  dimensions: z.int().min(1).optional(),
});

export const embeddingsSchema = namedParameters('OllamaEmbeddings', { ...common, prompt: z.string().min(1) });

export const parseEmbed = createParameterParser(embedSchema);
export const parseEmbeddings = createParameterParser(embeddingsSchema);
