import type { LlamaModel, Token } from 'node-llama-cpp';
import type { Opening } from '../loading/opening.ts';
import type { ServedModel } from '../../model-backend.ts';
import { nothingComputed } from '../../generation/generation.ts';
import type { FairTurns } from '../../queue/fair-turns.ts';
import type { RankEnd } from '../../text-engine.ts';
import { engineError } from '../../../errors/unavailable.ts';
import { Embedder } from '../embeddings/embedder.ts';
import type { NativeEmbeddingContext } from '../native/context/context.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

export interface VectorOptions {
  readonly model: LlamaModel;
  readonly vocabulary: Vocabulary;
  readonly contextTokens: number;
  readonly threads: number;
  readonly limits: Opening['limits'];
}

/** Vectors by node-llama-cpp's context for them, which is opened when it is first needed. */
export const openVectors = ({ model, vocabulary, contextTokens, threads, limits }: VectorOptions): Embedder =>
  new Embedder({
    ...limits,
    vocabulary,
    contextTokens,
    batchTokens: contextTokens,
    openContext: async () => ({ native: await openVectorContext(model, contextTokens, threads) }),
  });

async function openVectorContext(
  model: LlamaModel,
  contextTokens: number,
  threads: number,
): Promise<NativeEmbeddingContext> {
  // It takes no text that fills it.
  const size = { contextSize: contextTokens + 1, batchSize: contextTokens, threads };
  const context = await model.createEmbeddingContext(size);
  let text: Token[] = [];
  let vector = new Float32Array();
  return {
    initBatch: () => undefined,
    addToBatch(_sequence, _position, tokens) {
      text = Array.from(tokens) as Token[];
      return new Uint32Array();
    },
    async decodeBatch() {
      vector = Float32Array.from((await context.getEmbeddingFor(text)).vector);
    },
    getEmbedding: () => vector,
    cut: () => true,
    setThreads: () => undefined,
    dispose: () => context.dispose(),
  };
}

/** Ranks documents by node-llama-cpp's context for that. */
export async function openRanking(
  { model, chosen: { contextTokens }, threads }: Opening,
  vocabulary: Vocabulary,
  turns: FairTurns,
): Promise<{ readonly rank: NonNullable<ServedModel['rank']>; dispose(): Promise<void> }> {
  const context = await model.createRankingContext({ contextSize: contextTokens, threads });
  return {
    rank: (request, signal) =>
      turns.take(request, signal, async (charge): Promise<RankEnd> => {
        const scores: number[] = [];
        let promptTokens = 0;
        const usage = () => ({ ...nothingComputed, promptTokens });
        const query = Array.from(await vocabulary.tokenize(request.query, false)) as Token[];
        try {
          for (const document of request.documents) {
            if (signal.aborted) return { outcome: 'aborted', usage: usage() };
            const tokens = Array.from(await vocabulary.tokenize(document, false)) as Token[];
            scores.push(await context.rank(query, tokens));
            promptTokens += query.length + tokens.length;
            charge(query.length + tokens.length);
          }
          return { outcome: 'finished', scores, usage: usage() };
        } catch (cause) {
          return { outcome: 'failed', error: engineError(cause), usage: usage() };
        }
      }),
    dispose: () => context.dispose(),
  };
}
