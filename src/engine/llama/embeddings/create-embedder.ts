import { GgmlType, type GgufFileInfo, type LlamaModel } from 'node-llama-cpp';
import type { LoadLimits } from '../loaded-model.ts';
import { ChatThreads } from '../chat-threads.ts';
import { Embedder } from './embedder.ts';
import type { NativeAdapter } from '../native/context/context.ts';
import { openContext } from '../native/context/stepper-context.ts';
import { PrefillPacer } from '../steps/prefill-pacer.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

/** Tokens per step. The context keeps an output per token of a step, half a MiB each with a large vocabulary. */
export const chunkTokens = 128;
/** `<architecture>.pooling_type`: the vector of a text is that of its last token. */
const poolingLast = 3;

/**
 * Tokens per step that an embedding model needs for texts of `contextTokens`. Encoders look both ways and llama.cpp
 * pools within a step, so a text can be computed in several steps only where its vector is that of its last token.
 */
export function embeddingBatchTokens(info: GgufFileInfo, contextTokens: number): number {
  const { pooling_type: pooling } = info.architectureMetadata as { readonly pooling_type?: number };
  return pooling === poolingLast ? Math.min(chunkTokens, contextTokens) : contextTokens;
}

/** An embedder for `model`, which opens its context when it is first needed. */
export function createEmbedder(
  model: LlamaModel,
  vocabulary: Vocabulary,
  options: Pick<LoadLimits, 'queueLimit' | 'targetGapMs' | 'threadBudget'> & {
    readonly contextTokens: number;
    readonly batchTokens: number;
    readonly threads: number;
    readonly adapters?: readonly NativeAdapter[];
    /** The model gives a score and no vector; default: false. */
    readonly ranks?: boolean;
  },
): Embedder {
  const {
    contextTokens,
    batchTokens,
    threads,
    adapters = [],
    ranks = false,
    queueLimit,
    targetGapMs,
    threadBudget,
  } = options;
  return new Embedder({
    vocabulary,
    contextTokens,
    batchTokens,
    pacer: batchTokens < contextTokens ? new PrefillPacer(targetGapMs, batchTokens) : undefined,
    queueLimit,
    threadBudget,
    ranks,
    async openContext() {
      const size = { contextTokens, batchTokens, sequences: 1, cacheType: GgmlType.F16 };
      const native = await openContext(model, { ...size, threads, ranks, adapters, embeds: true });
      return { native, threads: threadBudget && new ChatThreads(native, threadBudget, threads) };
    },
  });
}
