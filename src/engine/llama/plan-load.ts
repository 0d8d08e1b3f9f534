import { GgufInsights, readGgufFileInfo, type GgufFileInfo, type Llama } from 'node-llama-cpp';
import { fitsInto, noMemory, sumMemory, type MemoryUse } from '../pool/memory-use.ts';
import { chunkTokens, embeddingBatchTokens } from './embeddings/create-embedder.ts';
import type { ModelSpec } from './load-model.ts';

/** What was chosen for a model, and what it will take. */
export interface ChosenLoad {
  readonly contextTokens: number;
  /** Layers that a GPU computes; 0 without one. */
  readonly gpuLayers: number;
  readonly memory: MemoryUse;
  /** What a chat model takes besides once it is asked for embeddings. */
  readonly embeddingMemory: MemoryUse;
}

/** Tokens per step; also the size of llama.cpp's compute buffers. */
export const batchTokens = 512;
const leastContextTokens = 512;
/** Share of the budget that the caches of all slots together may take when the context is not set. */
const cacheShare = 0.25;
/** A file that does not tell for how many tokens its model was trained. */
const unknownTrainContextTokens = 4096;
/** A token in the cache of any useful model takes more. */
const leastCacheTokenBytes = 1024;
/** What the vocabulary takes besides, in llama.cpp and in JavaScript, for each of its tokens. */
const vocabularyTokenBytes = 400;

/**
 * The context of each slot, and the memory that the model will take with it: llama.cpp lays everything out without
 * allocating it. A context that is not set is the trained one, halved until the caches fit into their share of the
 * budget and the whole model into all of it. Throws when the file cannot be read, or when the context that is set has
 * more tokens than the model has positions.
 */
export async function chooseLoad(llama: Llama, spec: ModelSpec, budget: MemoryUse): Promise<ChosenLoad> {
  const info = await readGgufFileInfo(spec.path);
  checkPositions(info, spec.contextTokens);
  const isEmbedding = spec.kind === 'embedding';
  const slotTokenBytes = (isEmbedding ? 1 : spec.parallel) * leastCacheTokenBytes;
  const mostContextTokens = Math.floor((budget.ramBytes + budget.vramBytes) / slotTokenBytes);
  if (spec.contextTokens !== undefined && spec.contextTokens > mostContextTokens)
    return tooLong(spec.contextTokens, slotTokenBytes);
  const insights = await GgufInsights.from(info, llama);
  const weightMemory = async (gpuLayers: number): Promise<MemoryUse> => {
    const needed = await insights.estimateModelResourceRequirementsV2({ gpuLayers });
    return { ramBytes: needed.cpuRam, vramBytes: needed.gpuVram };
  };
  const estimate = async (
    modelGpuLayers: number,
    contextSize: number,
    isEmbeddingContext: boolean,
    batchSize: number,
  ) => {
    const needed = await insights.estimateContextResourceRequirementsV2({
      contextSize,
      modelGpuLayers,
      sequences: isEmbeddingContext ? 1 : spec.parallel,
      batchSize,
      isEmbeddingContext,
      swaFullCache: !isEmbeddingContext && (insights.swaSize ?? 0) > 0,
    });
    return { ramBytes: needed.cpuRam, vramBytes: needed.gpuVram };
  };
  const contextMemoryWith = (layers: number, contextSize: number): Promise<MemoryUse> =>
    estimate(
      layers,
      contextSize,
      isEmbedding,
      isEmbedding ? embeddingBatchTokens(info, contextSize) : batchTokens,
    );
  const vramWith = async (layers: number): Promise<number> =>
    (await weightMemory(layers)).vramBytes +
    (await contextMemoryWith(layers, spec.contextTokens ?? leastContextTokens)).vramBytes;
  const gpuLayers =
    llama.gpu === false
      ? 0
      : (spec.gpuLayers ?? (await mostLayersWithin(budget.vramBytes, insights.totalLayers, vramWith)));
  const vocabularyTokens = info.metadata.tokenizer.ggml.tokens.length;
  const fixed = sumMemory([
    await weightMemory(gpuLayers),
    { ramBytes: vocabularyTokens * vocabularyTokenBytes, vramBytes: 0 },
  ]);
  const contextMemory = (contextSize: number) => contextMemoryWith(gpuLayers, contextSize);
  // Compute buffers are there whatever the context is: only what grows with it counts as caches.
  const least = await contextMemory(leastContextTokens);
  const mostForContext = {
    ramBytes: least.ramBytes + budget.ramBytes * cacheShare,
    vramBytes: least.vramBytes + budget.vramBytes * cacheShare,
  };
  let contextTokens = spec.contextTokens ?? insights.trainContextSize ?? unknownTrainContextTokens;
  while (contextTokens > Math.max(mostContextTokens, leastContextTokens))
    contextTokens = Math.floor(contextTokens / 2);
  while (true) {
    const context = await contextMemory(contextTokens);
    const memory = sumMemory([fixed, context]);
    const fits = fitsInto(mostForContext, context) && fitsInto(budget, memory);
    const smaller = Math.floor(contextTokens / 2);
    if (fits || spec.contextTokens !== undefined || smaller < leastContextTokens) {
      const embeddingMemory = isEmbedding
        ? noMemory
        : await estimate(gpuLayers, contextTokens, true, chunkTokens);
      return { contextTokens, gpuLayers, memory, embeddingMemory };
    }
    contextTokens = smaller;
  }
}

/** The most layers, up to `all`, that take no more than `vramBytes`: what they take grows with their number. */
export async function mostLayersWithin(
  vramBytes: number,
  all: number,
  vramWith: (layers: number) => Promise<number>,
): Promise<number> {
  if ((await vramWith(all)) <= vramBytes) return all;
  let [fitting, tooMany] = [0, all];
  while (tooMany - fitting > 1) {
    const layers = Math.floor((fitting + tooMany) / 2);
    if ((await vramWith(layers)) <= vramBytes) fitting = layers;
    else tooMany = layers;
  }
  return fitting;
}

/** Not laid out, since llama.cpp takes memory for each token of all slots even then: it fits nowhere in any case. */
function tooLong(contextTokens: number, slotTokenBytes: number): ChosenLoad {
  const memory = { ramBytes: contextTokens * slotTokenBytes, vramBytes: 0 };
  return { contextTokens, gpuLayers: 0, memory, embeddingMemory: noMemory };
}

/** Where positions are weights of the model (BERT, GPT-2), llama.cpp ends the process at the first one beyond them. */
function checkPositions({ fullTensorInfo = [] }: GgufFileInfo, contextTokens = 0): void {
  const weights = fullTensorInfo.find(({ name }) => name === 'position_embd.weight');
  const positions = Number(weights?.dimensions[1] ?? Number.POSITIVE_INFINITY);
  if (contextTokens > positions)
    throw new Error(
      `its context is set to ${contextTokens} tokens, and it has positions for ${positions} only`,
    );
}
