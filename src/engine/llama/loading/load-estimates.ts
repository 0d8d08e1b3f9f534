import { GgmlType, LlamaLogLevel, type GgufFileInfo, type GgufInsights } from 'node-llama-cpp';
import { can } from '../../../model-kinds.ts';
import type { FileModelSpec } from '../../model-backend.ts';
import { noMemory, type MemoryUse } from '../../pool/memory-use.ts';
import { mostDraftTokens } from '../drafts/sequence-drafts.ts';
import { chunkTokens, embeddingBatchTokens } from '../embeddings/create-embedder.ts';
import type { ContextOptions, ContextShape, EmbeddingOptions } from '../native/context/context.ts';
import { mapsWeights, type NativeModel } from '../native/model.ts';
import { scoredChunkTokens } from '../steps/step-planner.ts';
import { voiceBatchTokens } from '../voice/voice-context.ts';
import { cacheTypeOf } from './cache-type.ts';
import { loadedAddonFile } from '../native/loaded-addon-file.ts';
import { parametersOf } from '../native/context/stepper-context.ts';
import { contextAddon } from '../native/stepper.ts';

/** Tokens per step of a chat; also the size of llama.cpp's compute buffers. */
export const batchTokens = 512;
/**
 * Bytes on top of the weights, in llama.cpp and in JavaScript: of each model, for each token of its vocabulary, and for
 * each pair of tokens that it merges. Qwen2's 151,936 tokens and 151,387 merges take 118 MiB in llama.cpp alone.
 */
const vocabularyBytes = { ofModel: 2.5 * 2 ** 20, ofToken: 500, ofMerge: 430 };

type ContextSize = Omit<ContextOptions, 'threads' | 'adapters' | 'signal'> & EmbeddingOptions;

/** How the context of a chat model is opened. */
export function chatContext(spec: FileModelSpec, contextTokens: number, shape?: ContextShape): ContextSize {
  const drawn = spec.drafts === 'none' ? 1 : 1 + mostDraftTokens;
  return {
    contextTokens,
    shape,
    sequences: spec.parallel,
    batchTokens,
    outputTokens: Math.max(scoredChunkTokens, spec.parallel * drawn),
    flashAttention: spec.flashAttention,
    cacheType: cacheTypeOf(spec),
  };
}

/** Estimates a model's memory by its GPU layers and its context: llama.cpp lays it out without allocating it. */
export class LoadEstimates {
  readonly #info: GgufFileInfo;
  readonly #insights: GgufInsights;
  readonly #spec: FileModelSpec;
  readonly #generates: boolean;

  constructor(info: GgufFileInfo, insights: GgufInsights, spec: FileModelSpec) {
    this.#info = info;
    this.#insights = insights;
    this.#spec = spec;
    this.#generates = can(spec, 'generate');
  }

  /** The weights and the vocabulary. */
  async fixed(gpuLayers: number): Promise<MemoryUse> {
    const needed = await this.#insights.estimateModelResourceRequirementsV2({
      gpuLayers,
      useMmap: mapsWeights,
    });
    const { tokens, merges = [] } = this.#info.metadata.tokenizer.ggml;
    const { ofModel, ofToken, ofMerge } = vocabularyBytes;
    const ramBytes = needed.cpuRam + ofModel + tokens.length * ofToken + merges.length * ofMerge;
    return { ramBytes, vramBytes: needed.gpuVram };
  }

  /** The caches of all slots, and the buffers that their steps are computed in. `shape`: of a chat's context. */
  async context(gpuLayers: number, contextTokens: number, shape?: ContextShape): Promise<MemoryUse> {
    if (can(this.#spec, 'speak')) {
      const size = { contextTokens, sequences: this.#spec.parallel, batchTokens: voiceBatchTokens };
      const caches = await this.#estimate(gpuLayers, { ...size, cacheType: GgmlType.F16, embeds: true });
      return { ...caches, ramBytes: caches.ramBytes + this.#spec.parallel * this.#tokenEmbeddingBytes };
    }
    return this.#generates
      ? this.#estimate(gpuLayers, chatContext(this.#spec, contextTokens, shape))
      : this.#ofVectors(gpuLayers, contextTokens, embeddingBatchTokens(this.#info, contextTokens));
  }

  /** Bytes of the copy of all tokens' embeddings that each sequence of a voice has: 32-bit floats. */
  get #tokenEmbeddingBytes(): number {
    const weights = this.#info.fullTensorInfo?.find(({ name }) => name === 'token_embd.weight');
    return (weights?.dimensions ?? []).reduce<number>((product, size) => product * Number(size), 4);
  }

  /** The memory of a chat model's second context, which computes embeddings; none for other models. */
  async embeddings(gpuLayers: number, contextTokens: number): Promise<MemoryUse> {
    return this.#generates ? await this.#ofVectors(gpuLayers, contextTokens, chunkTokens) : noMemory;
  }

  #ofVectors(gpuLayers: number, contextTokens: number, tokensPerStep: number): Promise<MemoryUse> {
    const size = { contextTokens, sequences: 1, batchTokens: tokensPerStep, cacheType: GgmlType.F16 };
    return this.#estimate(gpuLayers, { ...size, embeds: true, ranks: can(this.#spec, 'rank') });
  }

  async #estimate(gpuLayers: number, size: ContextSize): Promise<MemoryUse> {
    const own = await contextMemory(this.#insights, gpuLayers, { ...size, threads: 1 });
    return own ?? (await this.#ofLibrary(gpuLayers, size));
  }

  /** The same of a context that node-llama-cpp opens. */
  async #ofLibrary(modelGpuLayers: number, size: ContextSize): Promise<MemoryUse> {
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
      modelGpuLayers,
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

type LogLevels = {
  readonly _createLogLevelOverride: (this: LogLevels, level: LlamaLogLevel) => () => void;
};

type Session = {
  readonly _getModelHandle: (
    this: Session,
    of: { source: unknown; gpuLayers: number; useMmap: boolean },
  ) => Promise<{
    readonly model: NativeModel;
    readonly disposeGuard: { createPreventDisposalHandle(): { dispose(): void } };
  }>;
};

/** The part of node-llama-cpp that estimates: it lays models out in memory without reading them. */
type Simulator = {
  readonly _resolveSimulatorSource: (this: Simulator) => Promise<unknown>;
  readonly _llama: LogLevels;
  readonly _simulationSession: Session;
};

/**
 * The memory that the stepper's context takes besides the weights: it is opened as it will be, but for a model without
 * weights, so that llama.cpp allocates none of it. Undefined where this process has no stepper, or where that fails.
 */
async function contextMemory(
  insights: GgufInsights,
  gpuLayers: number,
  options: ContextOptions & EmbeddingOptions,
): Promise<MemoryUse | undefined> {
  const addon = contextAddon();
  if (addon === undefined) return undefined;
  const simulator = insights as unknown as Simulator;
  const { _llama: llama, _simulationSession: session } = simulator;
  const { _resolveSimulatorSource: resolveSource } = simulator;
  const { _createLogLevelOverride: overrideLogLevel } = llama;
  const { _getModelHandle: layOut } = session;
  // llama.cpp repeats its warnings when the context is opened for use.
  const showWarnings = overrideLogLevel.call(llama, LlamaLogLevel.error);
  let opened: Awaited<ReturnType<typeof addon.open>> | undefined;
  let kept: { dispose(): void } | undefined;
  try {
    const source = await resolveSource.call(simulator);
    const laidOut = await layOut.call(session, { source, gpuLayers, useMmap: mapsWeights });
    kept = laidOut.disposeGuard.createPreventDisposalHandle();
    opened = await addon.open(loadedAddonFile(), laidOut.model, parametersOf(options));
    const [ramBytes = 0, vramBytes = 0] = addon.memory(opened.handle);
    return { ramBytes, vramBytes };
  } catch {
    return undefined;
  } finally {
    if (opened !== undefined) await addon.close(opened.handle);
    kept?.dispose();
    showWarnings();
  }
}
