import type { Handler } from 'hono';
import type { CatalogModel } from '../../../catalog/types.ts';
import type { EmbeddingEnd } from '../../../engine/generation.ts';
import type { EmbeddingRequest } from '../../../engine/types.ts';
import { AppError } from '../../../errors/errors.ts';
import type { AppContext, AppDeps, AppEnv } from '../../env.ts';
import { clientLeft } from '../../generation/leaving.ts';
import { meteredRoutes, runMetered } from '../../generation/metering.ts';
import type { MeteredRoute } from '../../generation/metering.ts';
import { toWireError } from '../../generation/to-wire-error.ts';
import type { ParameterPlace } from '../../generation/to-wire-error.ts';
import { findEmbeddingModel } from '../../model/find-model.ts';
import { inputPlaces } from '../../parameters/text-inputs.ts';
import { readBody } from '../../request/read-parameters.ts';
import { Stopwatch } from '../generation/statistics.ts';
import { withoutTag } from '../names.ts';
import { parseEmbed, parseEmbeddings } from './schema.ts';

/** Tokens that a model may want around a text. */
const enclosingTokens = 2;

/** POST /api/embed: a vector for each text. */
export function embed(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { model: asked, input, truncate = true, dimensions, keep_alive } = readBody(c, parseEmbed);
    const { request, model } = toRequest(c, deps, asked, input.items, keep_alive);
    const stopwatch = new Stopwatch(c.get('arrivedAtMs'));
    const work = {
      request: { ...request, dimensions },
      model,
      truncate,
      places: inputPlaces('inputs', 'input', input),
    };
    return await answer(c, deps, { ...work, route: meteredRoutes.ollamaEmbed }, (end) => {
      const { total_duration, load_duration, prompt_eval_count } = stopwatch.finish(end.usage);
      const vectors = end.vectors.map((vector) => [...vector]);
      return { model: asked, embeddings: vectors, total_duration, load_duration, prompt_eval_count };
    });
  };
}

/** POST /api/embeddings: the vector of one text; the older form. */
export function embeddings(deps: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { model: asked, prompt, keep_alive } = readBody(c, parseEmbeddings);
    const { request, model } = toRequest(c, deps, asked, [prompt.toWellFormed()], keep_alive);
    const places: ParameterPlace[] = [[/^inputs\[0\]/, 'prompt']];
    const job = { request, model, truncate: true, places, route: meteredRoutes.ollamaEmbeddings };
    return await answer(c, deps, job, ({ vectors: [vector = []] }) => ({ embedding: [...vector] }));
  };
}

function toRequest(
  c: AppContext,
  { catalog }: AppDeps,
  asked: string,
  inputs: EmbeddingRequest['inputs'],
  keepAliveMs: number | undefined,
): { readonly request: EmbeddingRequest; readonly model: CatalogModel } {
  const principal = c.get('principal');
  const { accountId, keyId } = principal;
  const { model } = findEmbeddingModel(catalog, principal, withoutTag(catalog, asked));
  const request = { modelId: model.id, accountId, keyId, inputs, dimensions: undefined };
  return { request: { ...request, ...(keepAliveMs !== undefined && { keepAliveMs }) }, model };
}

interface EmbeddingJob {
  readonly route: MeteredRoute;
  readonly model: CatalogModel;
  readonly request: EmbeddingRequest;
  /** Texts that are too long are cut off. */
  readonly truncate: boolean;
  readonly places: readonly ParameterPlace[];
}

type FinishedEmbedding = Extract<EmbeddingEnd, { outcome: 'finished' }>;

function answer(
  c: AppContext,
  deps: AppDeps,
  { route, model, request, truncate, places }: EmbeddingJob,
  toBody: (end: FinishedEmbedding) => object,
): Promise<Response> {
  return runMetered(c, deps, {
    route,
    model,
    start: (signal) => ({ ended: embedAll(deps, request, truncate, signal) }),
    use: async ({ ended }) => {
      const end = await ended;
      if (end.outcome === 'failed') throw toWireError(end.error, places);
      return end.outcome === 'finished' ? c.json(toBody(end)) : clientLeft(c);
    },
  });
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
