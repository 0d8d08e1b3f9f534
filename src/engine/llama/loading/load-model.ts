import type { Llama, LlamaModel } from 'node-llama-cpp';
import { can } from '../../../model-kinds.ts';
import type { FileModelSpec, ServedModel } from '../../model-backend.ts';
import type { Log } from '../../../telemetry/log.ts';
import { coresForModels } from '../../queue/thread-budget.ts';
import { CacheFolder } from '../cache-files/cache-folder.ts';
import { cacheLayout } from '../cache-files/cache-layout.ts';
import { chunkTokens, createEmbedder, embeddingBatchTokens } from '../embeddings/create-embedder.ts';
import { LoadedModel } from '../loaded-model.ts';
import { chatContext } from './needs/load-estimates.ts';
import { loadWeights } from './load-weights.ts';
import type { ChosenLoad } from './plan-load.ts';
import type { CellGrowth } from '../slots/cell-room.ts';
import { openMedia } from '../media/open-media.ts';
import { PromptTokenizer } from '../tokens/prompt-tokens.ts';
import type { NativeContext } from '../native/context/context.ts';
import { openContext } from '../native/context/stepper-context.ts';
import { openPlainModel } from '../plain/open-plain-model.ts';
import { adaptersOf, openTemplate, type LoadOptions, type Opening, type TurnPreparation } from './opening.ts';
import { stepperTrouble } from '../native/stepper.ts';
import { ranking } from '../ranking/open-ranking-model.ts';
import { readTokens } from '../tokens/read-tokens.ts';
import { Vocabulary } from '../tokens/vocabulary.ts';
import { openVoiceModel } from '../voice/open-voice-model.ts';

/** Models below this size compute a token in a few milliseconds on one thread. */
const smallModelBytes = 64 * 2 ** 20;

/** The model of `spec` in memory, ready to serve, as it was chosen. Throws as `loadWeights`. */
export async function loadModel(
  llama: Llama,
  spec: FileModelSpec,
  chosen: ChosenLoad,
  limits: LoadOptions & TurnPreparation,
  log: Log,
  signal: AbortSignal,
): Promise<ServedModel> {
  const startedAt = Date.now();
  const model = await loadWeights(llama, spec, chosen, log, signal);
  try {
    const threads = spec.threads ?? defaultThreads(llama, model);
    const open = openerOf(spec);
    const served: ServedModel = await open({ model, spec, chosen, limits, threads, log, signal });
    log.info(
      {
        model: spec.id,
        loadMs: Date.now() - startedAt,
        contextTokens: served.contextTokens,
        trainedContextTokens: model.trainContextSize,
        slots: served.slots,
        ...chosen.memory,
        threads,
        ...chosen.place,
      },
      'model loaded',
    );
    return served;
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

/** The function that opens models of this kind. */
function openerOf(spec: FileModelSpec): (opening: Opening) => Promise<ServedModel> {
  if (stepperTrouble() !== undefined) return openPlainModel;
  if (can(spec, 'speak')) return openVoiceModel;
  return can(spec, 'generate') ? openChatModel : openEmbeddingModel;
}

async function openChatModel(opening: Opening): Promise<LoadedModel> {
  const { model, spec, chosen, limits, threads, signal } = opening;
  const { growth } = chosen;
  const context = await openContext(model, {
    ...chatContext(spec, chosen.contextTokens, growth?.least, chosen.withHeads),
    threads,
    adapters: adaptersOf(spec),
    signal,
  });
  const vocabulary = new Vocabulary(model);
  const { templateSource, template } = await openTemplate(opening, vocabulary);
  const { contextTokens } = context;
  const media = await openMedia({
    spec,
    context,
    usesGpu: chosen.place.projectorOnGpu === true,
    threads,
    memory: limits.cacheMemory,
    files: limits.mediaFiles,
  });
  const attachments = media?.read;
  const promptTokenizer = new PromptTokenizer({
    vocabulary,
    template,
    templateSource,
    contextTokens,
    attachments,
  });
  const size = { contextTokens, batchTokens: chunkTokens };
  const adapters = adaptersOf(spec);
  const embedder = createEmbedder(model, vocabulary, { ...limits, ...size, threads, adapters });
  const { memory, embeddingMemory } = chosen;
  const loaded = new LoadedModel({
    model,
    context,
    threads,
    vocabulary,
    promptTokenizer,
    media,
    embedder,
    memory,
    embeddingMemory,
    contextTokens,
    growth: growth && { ...growth, contextTokens, claim: limits.claim, onReshaped: tellShape(opening) },
    cacheFiles: cacheFilesOf(opening, context),
    drafts: spec.drafts,
    onTimed: (times) => limits.observer?.generationEnded(spec.id, times),
    ...limits,
  });
  await loaded.readCaches(signal);
  return loaded;
}

/** Logs each change of the context's shape, and the memory that it takes since then. */
function tellShape({ spec, chosen, log }: Opening): CellGrowth['onReshaped'] {
  return (shape, elapsedMs) => {
    const memory = chosen.growth?.costs.memoryOf(shape);
    log.info({ model: spec.id, ...shape, ...memory, elapsedMs: Math.round(elapsedMs) }, 'context changed');
  };
}

/** Where the caches of conversations are kept; undefined: nowhere. */
function cacheFilesOf({ model, spec, log }: Opening, { contextTokens }: NativeContext) {
  if (spec.cachePlace === undefined) return undefined;
  const layout = cacheLayout(spec, contextTokens, model.llama.llamaCppRelease);
  return { modelId: spec.id, folder: new CacheFolder(spec.cachePlace, layout), log };
}

/** A model that computes embeddings and nothing else. */
async function openEmbeddingModel({ model, spec, chosen, limits, threads }: Opening): Promise<ServedModel> {
  const { contextTokens, memory } = chosen;
  const size = { contextTokens, batchTokens: embeddingBatchTokens(model.fileInfo, contextTokens) };
  const vocabulary = new Vocabulary(model);
  const ranks = can(spec, 'rank');
  const embedder = createEmbedder(model, vocabulary, { ...limits, ...size, threads, ranks });
  await embedder.open();
  return {
    memory,
    contextTokens,
    tokenize: (request, signal) => readTokens(request, { vocabulary, contextTokens }, signal),
    ...(ranks
      ? { rank: ranking(model, vocabulary, embedder) }
      : { embed: (request, signal) => embedder.embed(request, signal) }),
    async dispose() {
      await embedder.dispose();
      await model.dispose();
    },
  };
}

/** 1 for a small model: several threads would wait for each other at every layer. */
function defaultThreads(llama: Llama, model: LlamaModel): number {
  return model.gpuLayers === 0 && model.size < smallModelBytes ? 1 : coresForModels(llama.cpuMathCores);
}
