import type { CatalogModel } from '../../../catalog/types.ts';
import type { EmbeddingEnd } from '../../../engine/generation/generation.ts';
import type { EmbeddingRequest } from '../../../engine/types.ts';
import { AppError } from '../../../errors/errors.ts';
import type { AppContext, AppDeps } from '../../env.ts';
import { meteredRoutes } from '../../generation/metering.ts';
import { serveWork } from '../../generation/serve-work.ts';
import { findModelFor } from '../../model/find-model.ts';
import { toModelUse } from '../../model/model-names.ts';
import { inputPlaces, textInputs } from '../../parameters/text-inputs.ts';
import { readBody } from '../../request/read-parameters.ts';
import { Stopwatch } from '../../generation/stopwatch.ts';
import { toStatistics } from '../generation/statistics.ts';
import { withoutTag } from '../dialect.ts';
import { z } from 'zod';
import { namedParameters } from '../../openapi/json-schema.ts';
import { modelName, vectorDimensions } from '../../parameters/generation-parameters.ts';
import { ollamaKeepAlive, options } from '../generation/schema.ts';

const maxInputs = 2048;

const common = {
  model: modelName,
  keep_alive: ollamaKeepAlive.optional(),
  // They are known, and mean nothing where nothing is drawn.
  options: options.optional(),
};

export const embedSchema = namedParameters('OllamaEmbed', {
  ...common,
  input: textInputs({ max: maxInputs, mayBeEmpty: false }),
  truncate: z.boolean().optional().meta({
    default: true,
    description: 'A text that is too long is cut off; else it is an error.',
  }),
  dimensions: vectorDimensions.optional(),
});

export const embeddingsSchema = namedParameters('OllamaEmbeddings', { ...common, prompt: z.string().min(1) });

/** Tokens that a model may want around a text. */
const enclosingTokens = 2;

/** POST /api/embed: a vector for each text. */
export async function embed(c: AppContext, deps: AppDeps): Promise<Response> {
  const { model: asked, input, truncate = true, dimensions, keep_alive } = readBody(c, embedSchema);
  const { request, model } = toRequest(c, deps, asked, input.items, keep_alive);
  const stopwatch = new Stopwatch(c.get('arrivedAtMs'));
  const job = {
    route: meteredRoutes.ollamaEmbed,
    model,
    work: (signal: AbortSignal) => embedAll(deps, { ...request, dimensions }, truncate, signal),
    places: inputPlaces('inputs', 'input', input),
  };
  return await serveWork(c, deps, job, (end) => {
    const { total_duration, load_duration, prompt_eval_count } = toStatistics(stopwatch, end.usage);
    const vectors = end.vectors.map((vector) => [...vector]);
    return c.json({ model: asked, embeddings: vectors, total_duration, load_duration, prompt_eval_count });
  });
}

/** POST /api/embeddings: the vector of one text; the older form. */
export async function embeddings(c: AppContext, deps: AppDeps): Promise<Response> {
  const { model: asked, prompt, keep_alive } = readBody(c, embeddingsSchema);
  const { request, model } = toRequest(c, deps, asked, [prompt.toWellFormed()], keep_alive);
  const job = {
    route: meteredRoutes.ollamaEmbeddings,
    model,
    work: (signal: AbortSignal) => embedAll(deps, request, true, signal),
    places: [[/^inputs\[0\]/, 'prompt'] as const],
  };
  return await serveWork(c, deps, job, ({ vectors: [vector = []] }) => c.json({ embedding: [...vector] }));
}

function toRequest(
  c: AppContext,
  { catalog }: AppDeps,
  asked: string,
  inputs: EmbeddingRequest['inputs'],
  keepAliveMs: number | undefined,
): { readonly request: EmbeddingRequest; readonly model: CatalogModel } {
  const principal = c.get('principal');
  const { model } = findModelFor('embedding', catalog, principal, withoutTag(catalog, asked));
  const { cutsVectors } = model.settings;
  const request = {
    ...toModelUse(model, principal, keepAliveMs),
    inputs,
    dimensions: undefined,
    cutsVectors,
  };
  return { request, model };
}

async function embedAll(
  { engine }: AppDeps,
  request: EmbeddingRequest,
  truncate: boolean,
  signal: AbortSignal,
): Promise<EmbeddingEnd> {
  const end = await engine.embed(request, signal);
  const isTooLong =
    end.outcome === 'failed' && end.error instanceof AppError && end.error.code === 'context_length_exceeded';
  if (!isTooLong || !truncate) return end;
  try {
    const inputs: (string | readonly number[])[] = [];
    for (const input of request.inputs) inputs.push(await cutOff(engine, request, input, signal));
    return await engine.embed({ ...request, inputs }, signal);
  } catch {
    // It could not be cut off either, so the first error says best what is wrong.
    return end;
  }
}

/** The first tokens of `input`, as many as the model takes. */
async function cutOff(
  engine: AppDeps['engine'],
  { modelId, accountId, keyId }: EmbeddingRequest,
  input: EmbeddingRequest['inputs'][number],
  signal: AbortSignal,
): Promise<readonly number[]> {
  const prompt = typeof input === 'string' ? { kind: 'text' as const, text: input } : undefined;
  const use = { addSpecial: false, parseSpecial: false, withPieces: false };
  const asked = prompt ?? { kind: 'tokens' as const, tokens: input as readonly number[] };
  const { tokens, contextTokens } = await engine.tokenize(
    { modelId, accountId, keyId, prompt: asked, ...use },
    signal,
  );
  return tokens.slice(0, contextTokens - enclosingTokens);
}
