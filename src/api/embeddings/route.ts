import type { AppDeps, AppContext } from '../env.ts';
import { findModelFor } from '../model/find-model.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveWork } from '../generation/serve-work.ts';
import { toModelUse } from '../model/model-names.ts';
import { readBody } from '../request/read-parameters.ts';
import { inputPlaces, textInputs } from '../parameters/text-inputs.ts';
import type { Usage } from '../../engine/generation/generation.ts';
import { namedObject, namedParameters } from '../openapi/json-schema.ts';
import { modelKinds } from '../../model-kinds.ts';
import { json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { z } from 'zod';
import {
  modelName,
  quietParameters,
  keepAlive,
  vectorDimensions,
} from '../parameters/generation-parameters.ts';

const maxInputs = 2048;

/** Every parameter that the endpoint knows, including those that it ignores and those that it refuses. */
const embeddingSchema = namedParameters('CreateEmbedding', {
  model: modelName,
  input: textInputs({ max: maxInputs, mayBeEmpty: false }),
  encoding_format: z.enum(['float', 'base64']).optional(),
  dimensions: vectorDimensions.optional(),
  keep_alive: keepAlive.optional(),

  ...quietParameters,
});

const count = z.int().min(0);

const shownVector = namedObject('Embedding', {
  object: z.literal('embedding'),
  index: count.describe('Of the input.'),
  embedding: z
    .union([z.array(z.number().min(-1).max(1)).min(1), z.base64().min(1)])
    .describe('A vector of length 1: numbers, or little-endian 32-bit numbers in base64.'),
});

const embeddingList = namedObject('EmbeddingList', {
  object: z.literal('list'),
  data: z.array(shownVector).min(1),
  model: z.string().min(1).describe('As it was asked for.'),
  usage: z.strictObject({ prompt_tokens: count, total_tokens: count }),
});

export const embeddingOperations = operationsOf(['Embeddings', 'user'], {
  createEmbedding: {
    route: 'POST /v1/embeddings',
    summary: 'Turn texts into vectors',
    description:
      'Each input gets a vector of length 1, so that a dot product of two is their cosine similarity.',
    body: {
      schema: embeddingSchema,
      example: { model: modelKinds.embedding.placeholder, input: ['The fox slept.', 'A fox was asleep.'] },
    },
    answer: json(embeddingList, 'The vectors.'),
    errors: [...modelErrors, 'context_length_exceeded'],
  },
});

/** POST /v1/embeddings: checks the request in the public order, then computes a vector for each text. */
export async function embeddings(c: AppContext, deps: AppDeps): Promise<Response> {
  const parameters = readBody(c, embeddingSchema);
  const { input, dimensions, encoding_format: format = 'float', keep_alive: keepAliveMs } = parameters;
  const principal = c.get('principal');
  const { name, model } = findModelFor('embedding', deps.catalog, principal, parameters.model);
  const request = {
    ...toModelUse(model, principal, keepAliveMs),
    inputs: input.items,
    dimensions,
    cutsVectors: model.settings.cutsVectors,
  };
  const job = {
    route: meteredRoutes.embeddings,
    model,
    work: (signal: AbortSignal) => deps.engine.embed(request, signal),
    places: inputPlaces('inputs', 'input', input),
  };
  return await serveWork(c, deps, job, async ({ vectors, usage }) => {
    const body = await toEmbeddingList(name, vectors, format, usage);
    return c.body(body, 200, { 'content-type': 'application/json' });
  });
}

type EncodingFormat = 'float' | 'base64';

/** Numbers to write before other work gets its turn: one answer can have millions. */
const busyNumbers = 65_536;

async function toEmbeddingList(
  model: string,
  vectors: readonly Float32Array[],
  format: EncodingFormat,
  { promptTokens }: Usage,
): Promise<string> {
  const data: string[] = [];
  let numbers = 0;
  for (const [index, vector] of vectors.entries()) {
    const embedding = format === 'base64' ? toBase64(vector) : [...vector];
    data.push(JSON.stringify({ object: 'embedding', index, embedding }));
    numbers += vector.length;
    if (numbers < busyNumbers) continue;
    numbers = 0;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const rest = { model, usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } };
  return `{"object":"list","data":[${data.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

/** The base64 of the numbers as little-endian 32-bit floats, the byte order of every machine that Node runs on. */
function toBase64({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}
