import type { Handler } from 'hono';
import type { AppDeps, AppEnv } from '../env.ts';
import { findEmbeddingModel } from '../model/find-model.ts';
import { meteredRoutes } from '../generation/metering.ts';
import { serveWork } from '../generation/serve-work.ts';
import { toModelUse } from '../model/model-names.ts';
import { readBody } from '../request/read-parameters.ts';
import { inputPlaces } from '../parameters/text-inputs.ts';
import { parseEmbedding } from './operation.ts';
import type { Usage } from '../../engine/generation.ts';

/** POST /v1/embeddings: checks the request in the public order, then computes a vector for each text. */
export function embeddings(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const parameters = readBody(c, parseEmbedding);
    const { input, dimensions, encoding_format: format = 'float', keep_alive: keepAliveMs } = parameters;
    const principal = c.get('principal');
    const { name, model } = findEmbeddingModel(deps.catalog, principal, parameters.model);
    const request = {
      ...toModelUse(model, principal, keepAliveMs),
      inputs: input.items,
      dimensions,
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
  };
}

type EncodingFormat = 'float' | 'base64';

/** Numbers to write before other work gets its turn: one answer can have millions. */
const busyNumbers = 65_536;

/** The JSON text of embeddings. */
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
