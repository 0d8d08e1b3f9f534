import os from 'node:os';
import type { Llama, LlamaModel } from 'node-llama-cpp';
import type { Log } from '../../telemetry/log.ts';
import { ChatTemplate, fallbackTemplate } from '../prompt/chat-template.ts';
import { LoadedModel } from './loaded-model.ts';
import { createTemplateRenderer } from './native.ts';
import { PromptTokenizer } from './prompt-tokens.ts';
import { Vocabulary } from './vocabulary.ts';

/** How to load one model; undefined fields are chosen here. */
export interface ModelSpec {
  readonly id: string;
  readonly path: string;
  readonly contextTokens: number | undefined;
  /** Sequences decoded together. */
  readonly parallel: number;
  readonly threads: number | undefined;
  readonly gpuLayers: number | undefined;
}

export interface LoadLimits {
  readonly targetGapMs: number;
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
}

/** Tokens per step; also the size of llama.cpp's compute buffers. */
const batchTokens = 512;
const leastContextTokens = 512;
/** Models below this size compute a token in a few milliseconds on one thread. */
const smallModelBytes = 64 * 2 ** 20;
/** Share of the free memory that the caches of all slots together may take when the context is not set. */
const cacheMemoryShare = 0.25;

/** The model of `spec` in memory, ready to serve. Throws what node-llama-cpp throws. */
export async function loadModel(
  llama: Llama,
  spec: ModelSpec,
  limits: LoadLimits,
  log: Log,
  signal: AbortSignal,
): Promise<LoadedModel> {
  const startedAt = Date.now();
  let loggedTenth = 0;
  const model = await llama.loadModel({
    modelPath: spec.path,
    gpuLayers: spec.gpuLayers ?? 'auto',
    loadSignal: signal,
    onLoadProgress(share) {
      const tenth = Math.floor(share * 10);
      if (tenth <= loggedTenth) return;
      loggedTenth = tenth;
      log.debug({ model: spec.id, percent: tenth * 10 }, 'loading model');
    },
  });
  try {
    const context = await model.createContext({
      contextSize: spec.contextTokens ?? (await affordableContext(model, spec.parallel)),
      sequences: spec.parallel,
      batchSize: batchTokens,
      threads: spec.threads ?? defaultThreads(llama, model),
      // Without it a sliding window forgets what a later request could still reuse.
      swaFullCache: (model.fileInsights.swaSize ?? 0) > 0,
      createSignal: signal,
    });
    const vocabulary = new Vocabulary(model);
    const { templateSource, render } = readTemplate(llama, model, spec.id, log);
    const template = new ChatTemplate({
      render,
      source: templateSource,
      bosText: vocabulary.bosText,
      eosText: vocabulary.eosText,
    });
    const contextTokens = context.contextSize;
    const promptTokenizer = new PromptTokenizer({ vocabulary, template, templateSource, contextTokens });
    log.info(
      {
        model: spec.id,
        loadMs: Date.now() - startedAt,
        contextTokens,
        slots: spec.parallel,
        threads: context.idealThreads,
        gpuLayers: model.gpuLayers,
      },
      'model loaded',
    );
    return new LoadedModel({ model, context, vocabulary, promptTokenizer, ...limits });
  } catch (error) {
    await model.dispose();
    throw error;
  }
}

/** The model's own template, or the fallback where it has none that llama.cpp can read. */
function readTemplate(llama: Llama, model: LlamaModel, id: string, log: Log) {
  const own = model.fileInfo.metadata.tokenizer.chat_template;
  try {
    if (own !== undefined) return { templateSource: own, render: createTemplateRenderer(llama, own) };
  } catch (err) {
    log.warn({ model: id, err }, 'its chat template cannot be read; ChatML is used instead');
  }
  return { templateSource: fallbackTemplate, render: createTemplateRenderer(llama, fallbackTemplate) };
}

/**
 * Physical cores, one fewer where there are more than four: the rest is for HTTP and the operating system.
 * Small models get one: their threads would wait for each other at every layer, for ever on a busy machine.
 */
function defaultThreads(llama: Llama, model: LlamaModel): number {
  if (model.gpuLayers === 0 && model.size < smallModelBytes) return 1;
  const cores = Math.max(1, Math.min(llama.cpuMathCores, os.availableParallelism()));
  return cores > 4 ? cores - 1 : cores;
}

/** The trained context, halved until the caches of all slots fit into their share of the free memory. */
async function affordableContext(model: LlamaModel, sequences: number): Promise<number> {
  const freeBytes = process.availableMemory();
  let contextTokens = model.trainContextSize;
  while (contextTokens / 2 >= leastContextTokens) {
    const needed = await model.fileInsights.estimateContextResourceRequirementsV2({
      contextSize: contextTokens,
      modelGpuLayers: model.gpuLayers,
      sequences,
      batchSize: batchTokens,
    });
    if (needed.cpuRam + needed.gpuVram <= freeBytes * cacheMemoryShare) break;
    contextTokens = Math.floor(contextTokens / 2);
  }
  return contextTokens;
}
