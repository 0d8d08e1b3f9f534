import type { GgufFileInfo, LlamaModel } from 'node-llama-cpp';
import type { ThreadBudget } from '../../queue/thread-budget.ts';
import { ChatThreads } from '../steps/chat-threads.ts';
import { Embedder } from './embedder.ts';
import { openEmbeddingContext } from '../native/context.ts';
import { PrefillPacer } from '../steps/prefill-pacer.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

/** A context for vectors keeps the output of each token of a step: with a large vocabulary that is half a MiB. */
export const chunkTokens = 128;
/** `<architecture>.pooling_type`: the vector of a text is that of its last token. */
const poolingLast = 3;

/**
 * Tokens per step that an embedding model needs for texts of `contextTokens`: encoders look both ways, and llama.cpp
 * pools within a step, so that only where the last token counts a text can be computed in pieces.
 */
export function embeddingBatchTokens(info: GgufFileInfo, contextTokens: number): number {
  const { pooling_type: pooling } = info.architectureMetadata as { readonly pooling_type?: number };
  return pooling === poolingLast ? Math.min(chunkTokens, contextTokens) : contextTokens;
}

/** An embedder for `model`, its context yet to be opened. */
export function createEmbedder(
  model: LlamaModel,
  vocabulary: Vocabulary,
  options: {
    readonly contextTokens: number;
    readonly batchTokens: number;
    readonly threads: number;
    readonly queueLimit: number;
    readonly targetGapMs: number;
    readonly threadBudget?: ThreadBudget | undefined;
  },
): Embedder {
  const { contextTokens, batchTokens, threads, queueLimit, targetGapMs, threadBudget } = options;
  return new Embedder({
    vocabulary,
    contextTokens,
    batchTokens,
    pacer: batchTokens < contextTokens ? new PrefillPacer(targetGapMs, batchTokens) : undefined,
    queueLimit,
    threadBudget,
    async openContext() {
      const size = { contextSize: contextTokens, batchSize: batchTokens };
      const context = await openEmbeddingContext(model, { ...size, threads });
      const { native } = context;
      return { ...context, threads: threadBudget && new ChatThreads(native, threadBudget, threads) };
    },
  });
}
