import { GgufInsights, readGgufFileInfo, type Llama } from 'node-llama-cpp';
import { fitsInto, sumMemory, type MemoryUse } from '../memory-use.ts';
import { embeddingBatchTokens } from './create-embedder.ts';
import type { ModelSpec } from './load-model.ts';

/** What was chosen for a model, and what it will take. */
export interface ChosenLoad {
  readonly contextTokens: number;
  readonly memory: MemoryUse;
}

/** Tokens per step; also the size of llama.cpp's compute buffers. */
export const batchTokens = 512;
const leastContextTokens = 512;
/** Share of the budget that the caches of all slots together may take when the context is not set. */
const cacheShare = 0.25;
/** A file that does not tell for how many tokens its model was trained. */
const unknownTrainContextTokens = 4096;
/** What the vocabulary takes besides, in llama.cpp and in JavaScript, for each of its tokens. */
const vocabularyTokenBytes = 400;

/**
 * The context of each slot, and the memory that the model will take with it: llama.cpp lays everything out without
 * allocating it. A context that is not set is the trained one, halved until the caches fit into their share of the
 * budget and the whole model into all of it. Throws when the file cannot be read.
 */
export async function chooseLoad(llama: Llama, spec: ModelSpec, budget: MemoryUse): Promise<ChosenLoad> {
  const info = await readGgufFileInfo(spec.path);
  const insights = await GgufInsights.from(info, llama);
  const gpuLayers = llama.gpu === false ? 0 : (spec.gpuLayers ?? insights.totalLayers);
  const weights = await insights.estimateModelResourceRequirementsV2({ gpuLayers });
  const vocabularyTokens = info.metadata.tokenizer.ggml.tokens.length;
  const fixed = sumMemory([
    { ramBytes: weights.cpuRam, vramBytes: weights.gpuVram },
    { ramBytes: vocabularyTokens * vocabularyTokenBytes, vramBytes: 0 },
  ]);
  const cacheBudget = {
    ramBytes: budget.ramBytes * cacheShare,
    vramBytes: budget.vramBytes * cacheShare,
  };
  const isEmbedding = spec.kind === 'embedding';
  const trainContextTokens = insights.trainContextSize ?? unknownTrainContextTokens;
  let contextTokens = spec.contextTokens ?? trainContextTokens;
  while (true) {
    const needed = await insights.estimateContextResourceRequirementsV2({
      contextSize: contextTokens,
      modelGpuLayers: gpuLayers,
      sequences: isEmbedding ? 1 : spec.parallel,
      batchSize: isEmbedding ? embeddingBatchTokens(info, contextTokens) : batchTokens,
      isEmbeddingContext: isEmbedding,
      swaFullCache: !isEmbedding && (insights.swaSize ?? 0) > 0,
    });
    const caches = { ramBytes: needed.cpuRam, vramBytes: needed.gpuVram };
    const memory = sumMemory([fixed, caches]);
    const fits = fitsInto(cacheBudget, caches) && fitsInto(budget, memory);
    const smaller = Math.floor(contextTokens / 2);
    if (fits || spec.contextTokens !== undefined || smaller < leastContextTokens)
      return { contextTokens, memory };
    contextTokens = smaller;
  }
}
