import { GgmlType, type GgufFileInfo, type GgufInsights } from 'node-llama-cpp';
import { can } from '../../../../model-kinds.ts';
import type { FileModelSpec } from '../../../model-backend.ts';
import { noMemory, shareOf, sumMemory, type MemoryUse } from '../../../pool/memory-use.ts';
import { mostDraftTokens, mostHeadTokens } from '../../drafts/sequence-drafts.ts';
import { chunkTokens, embeddingBatchTokens } from '../../embeddings/create-embedder.ts';
import type { ContextShape } from '../../native/context/context.ts';
import { mapsWeights, type Placement } from '../../native/model.ts';
import { scoredChunkTokens } from '../../steps/step-planner.ts';
import { voiceBatchTokens } from '../../voice/voice-context.ts';
import { cacheTypeOf } from '../cache-type.ts';
import type { ContextSize, Layouts } from './layouts.ts';

/** Tokens per step of a chat; also the size of llama.cpp's compute buffers. */
export const batchTokens = 512;
/**
 * Bytes on top of the weights, in llama.cpp and in JavaScript: of each model, for each token of its vocabulary, and for
 * each pair of tokens that it merges. Qwen2's 151,936 tokens and 151,387 merges take 118 MiB in llama.cpp alone.
 */
const vocabularyBytes = { ofModel: 2.5 * 2 ** 20, ofToken: 500, ofMerge: 430 };

/** Tokens of a context that is small, and that every model has. */
const leastTokens = 256;

/** How the context of a chat model is opened. */
export function chatContext(
  spec: FileModelSpec,
  contextTokens: number,
  shape?: ContextShape,
  withHeads = false,
): ContextSize {
  const drawn = spec.drafts === 'none' ? 1 : 1 + mostDraftTokens;
  return {
    contextTokens,
    shape,
    sequences: spec.parallel,
    batchTokens,
    outputTokens: Math.max(scoredChunkTokens, spec.parallel * drawn),
    flashAttention: spec.flashAttention,
    cacheType: cacheTypeOf(spec),
    ...(withHeads && { headTokens: mostHeadTokens }),
  };
}

/** Measures a model's memory by where its layers are and by its context: llama.cpp lays it out without allocating it. */
export class LoadEstimates {
  readonly #info: GgufFileInfo;
  readonly #insights: GgufInsights;
  readonly #spec: FileModelSpec;
  readonly #generates: boolean;
  readonly #layouts: Layouts | undefined;
  readonly #adapterBytes: number;
  /** By placement, as far as they were measured. */
  readonly #weights = new Map<string, MemoryUse>();

  /** `layouts`: undefined where node-llama-cpp loads the model by itself and estimates its memory. */
  constructor(
    insights: GgufInsights,
    spec: FileModelSpec,
    layouts: Layouts | undefined,
    adapterBytes: number,
  ) {
    this.#info = insights.ggufFileInfo;
    this.#insights = insights;
    this.#adapterBytes = adapterBytes;
    this.#spec = spec;
    this.#generates = can(spec, 'generate');
    this.#layouts = layouts;
  }

  /** The weights, the adapters, which lie beside the weights that they change, and the vocabulary. */
  async fixed(placement: Placement): Promise<MemoryUse> {
    const weights = await this.weights(placement);
    const { tokens, merges = [] } = this.#info.metadata.tokenizer.ggml;
    const { ofModel, ofToken, ofMerge } = vocabularyBytes;
    const ramBytes = ofModel + tokens.length * ofToken + merges.length * ofMerge;
    const adapters = shareOf(weights, this.#adapterBytes / (weights.ramBytes + weights.vramBytes));
    return sumMemory([weights, adapters, { ramBytes, vramBytes: 0 }]);
  }

  async weights(placement: Placement): Promise<MemoryUse> {
    const known = this.#weights.get(JSON.stringify(placement));
    if (known !== undefined) return known;
    if (this.#layouts !== undefined)
      return (await this.#measure(this.#layouts, placement, this.#sizeOf(leastTokens))).weights;
    const { gpuLayers } = placement;
    const needed = await this.#insights.estimateModelResourceRequirementsV2({
      gpuLayers,
      useMmap: mapsWeights,
    });
    return { ramBytes: needed.cpuRam, vramBytes: needed.gpuVram };
  }

  /** The caches of all slots, and the buffers that their steps are computed in. `shape`: of a chat's context. */
  async context(placement: Placement, contextTokens: number, shape?: ContextShape): Promise<MemoryUse> {
    const context = await this.#estimate(placement, this.#sizeOf(contextTokens, shape));
    const ofVoices = can(this.#spec, 'speak') ? this.#spec.parallel * this.#tokenEmbeddingBytes : 0;
    return sumMemory([context, { ramBytes: ofVoices, vramBytes: 0 }]);
  }

  #sizeOf(contextTokens: number, shape?: ContextShape): ContextSize {
    if (this.#generates) return chatContext(this.#spec, contextTokens, shape, this.#layouts?.withHeads);
    if (!can(this.#spec, 'speak'))
      return this.#sizeOfVectors(contextTokens, embeddingBatchTokens(this.#info, contextTokens));
    const size = { contextTokens, sequences: this.#spec.parallel, batchTokens: voiceBatchTokens };
    return { ...size, cacheType: GgmlType.F16, embeds: true };
  }

  /** Bytes of the copy of all tokens' embeddings that each sequence of a voice has: 32-bit floats. */
  get #tokenEmbeddingBytes(): number {
    const weights = this.#info.fullTensorInfo?.find(({ name }) => name === 'token_embd.weight');
    return (weights?.dimensions ?? []).reduce<number>((product, size) => product * Number(size), 4);
  }

  /** The memory of a chat model's second context, which computes embeddings; none for other models. */
  async embeddings(placement: Placement, contextTokens: number): Promise<MemoryUse> {
    if (!this.#generates) return noMemory;
    return await this.#estimate(placement, this.#sizeOfVectors(contextTokens, chunkTokens));
  }

  #sizeOfVectors(contextTokens: number, tokensPerStep: number): ContextSize {
    const size = { contextTokens, sequences: 1, batchTokens: tokensPerStep, cacheType: GgmlType.F16 };
    return { ...size, embeds: true, ranks: can(this.#spec, 'rank') };
  }

  async #estimate(placement: Placement, size: ContextSize): Promise<MemoryUse> {
    if (this.#layouts === undefined) return await this.#ofLibrary(placement, size);
    return (await this.#measure(this.#layouts, placement, size)).context;
  }

  async #measure(layouts: Layouts, placement: Placement, size: ContextSize) {
    const measured = await layouts.measure(placement, size);
    this.#weights.set(JSON.stringify(placement), measured.weights);
    return measured;
  }

  /** The same of a context that node-llama-cpp opens. */
  async #ofLibrary({ gpuLayers }: Placement, size: ContextSize): Promise<MemoryUse> {
    const {
      contextTokens,
      sequences,
      batchTokens: batchSize,
      cacheType,
      flashAttention,
      embeds = false,
    } = size;
    const needed = await this.#insights.estimateContextResourceRequirementsV2({
      contextSize: contextTokens,
      modelGpuLayers: gpuLayers,
      sequences,
      batchSize,
      isEmbeddingContext: embeds,
      kvCacheKeyType: cacheType,
      kvCacheValueType: cacheType,
      flashAttention: flashAttention ?? 'auto',
      useMmap: mapsWeights,
    });
    return { ramBytes: needed.cpuRam, vramBytes: needed.gpuVram };
  }
}
