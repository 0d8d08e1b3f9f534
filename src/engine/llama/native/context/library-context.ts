/** The contexts of node-llama-cpp, for processes without the stepper. */
import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import type { ContextOptions, EmbeddingOptions, NativeContext, NativeEmbeddingContext } from './context.ts';
import { takeStep } from '../step-turns.ts';

type AddonContext = Pick<NativeContext, 'setThreads' | 'initBatch' | 'addToBatch' | 'sampleToken'> &
  Pick<NativeEmbeddingContext, 'getEmbedding'> & {
    decodeBatch(): Promise<void>;
    removeTokenCellsFromSequence(sequence: number, start: number, end: -1): boolean;
    disposeSequence(sequence: number): void;
    copySequenceStateFromOtherSequence(target: number, source: number): Promise<number>;
  };

/** Throws what node-llama-cpp throws. */
export async function openLibraryContext(model: LlamaModel, options: ContextOptions): Promise<NativeContext> {
  const { contextTokens, sequences, batchTokens, threads, cacheType, signal } = options;
  const context = await model.createContext({
    contextSize: contextTokens,
    sequences,
    batchSize: batchTokens,
    threads,
    flashAttention: options.flashAttention ?? 'auto',
    experimentalKvCacheKeyType: cacheType,
    experimentalKvCacheValueType: cacheType,
    lora: { adapters: [...(options.adapters ?? [])] },
    // Without it a sliding window forgets what a later request could still reuse.
    swaFullCache: (model.fileInsights.swaSize ?? 0) > 0,
    ...(signal && { createSignal: signal }),
  });
  const facts = {
    contextTokens: context.contextSize,
    sequences: context.totalSequences,
    batchTokens: context.batchSize,
    needsStates: false,
    takesDrafts: false,
    interrupt: undefined,
  };
  return adapt(context, () => context.dispose(), facts);
}

/** Throws what node-llama-cpp throws. */
export async function openLibraryEmbeddingContext(
  model: LlamaModel,
  options: Omit<ContextOptions, 'sequences' | 'cacheType'> & Pick<EmbeddingOptions, 'ranks'>,
): Promise<NativeEmbeddingContext> {
  const { contextTokens, batchTokens, threads, adapters = [], ranks = false } = options;
  const size = { contextSize: contextTokens, batchSize: batchTokens, threads };
  const context = ranks ? await model.createRankingContext(size) : await model.createEmbeddingContext(size);
  const { _llamaContext: inner } = context as unknown as {
    _llamaContext: LlamaContext & {
      _setLoras: (this: LlamaContext, adapters: readonly unknown[]) => Promise<void>;
    };
  };
  const { _setLoras: setAdapters } = inner;
  if (adapters.length > 0) await setAdapters.call(inner, adapters);
  return adapt(inner, () => context.dispose(), {});
}

/** The addon's own context, with names of ours, whose steps take turns with those of others. */
function adapt<Facts extends object>(context: LlamaContext, dispose: () => Promise<void>, facts: Facts) {
  const { _ctx: native } = context as unknown as { _ctx: AddonContext };
  return {
    ...facts,
    dispose,
    setThreads: native.setThreads.bind(native),
    initBatch: native.initBatch.bind(native),
    addToBatch: native.addToBatch.bind(native),
    sampleToken: native.sampleToken.bind(native),
    getEmbedding: native.getEmbedding.bind(native),
    async decodeBatch(): Promise<readonly Float64Array[]> {
      await takeStep(() => native.decodeBatch());
      return [];
    },
    // Only trying tells whether it can be done.
    canCut: () => true,
    cut(sequence: number, position: number): boolean {
      if (position > 0) return native.removeTokenCellsFromSequence(sequence, position, -1);
      native.disposeSequence(sequence);
      return true;
    },
    async copySequence(source: number, target: number): Promise<void> {
      await native.copySequenceStateFromOtherSequence(target, source);
    },
  };
}
