import type { LlamaModel } from 'node-llama-cpp';
import type { Log } from '../../../telemetry/log.ts';
import type { FileModelSpec } from '../../model-backend.ts';
import type { EngineObserver } from '../../observer.ts';
import type { ClaimMemory } from '../../pool/loadable.ts';
import { fallbackTemplate } from '../../prompt/chat-template.ts';
import type { AnswerCompiler } from '../../sandbox/answer-compiler.ts';
import { SandboxedTemplate, TemplateError } from '../../sandbox/sandboxed-template.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { LoadLimits } from '../loaded-model.ts';
import type { MediaFiles } from '../media/media-files.ts';
import type { NativeAdapter } from '../native/context-addon.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import type { ChosenLoad } from './plan-load.ts';

export interface LoadOptions extends LoadLimits {
  readonly observer?: EngineObserver | undefined;
  readonly mediaFiles: MediaFiles;
  /** Asks for memory where the context has to grow. */
  readonly claim: ClaimMemory;
}

/** The parts that prepare requests for their model, in processes that can be stopped. */
export interface TurnPreparation {
  readonly sandbox: Sandbox;
  readonly answers: AnswerCompiler;
}

/** A model whose weights are in memory, and how it is to be served. */
export interface Opening {
  readonly model: LlamaModel;
  readonly spec: FileModelSpec;
  readonly chosen: ChosenLoad;
  readonly limits: LoadOptions & TurnPreparation;
  readonly threads: number;
  readonly log: Log;
  readonly signal: AbortSignal;
}

export const adaptersOf = ({ lora = [] }: FileModelSpec): NativeAdapter[] =>
  lora.map(({ path, scale }) => ({ filePath: path, scale }));

/** The model's own template, or the fallback where it has none that llama.cpp can read. */
export async function openTemplate({ model, spec, limits, log, signal }: Opening, vocabulary: Vocabulary) {
  const { bosText, eosText } = vocabulary;
  const asker = { keyId: `loading ${spec.id}`, signal };
  const open = async (source: string) => {
    const template = await SandboxedTemplate.open(limits.sandbox, { source, bosText, eosText }, asker);
    if (!template.facts.knowsSyntax)
      log.info(
        { model: spec.id, toolFormat: 'json' },
        'its chat template writes no calls that can be read back',
      );
    return { templateSource: source, template };
  };
  const own = model.fileInfo.metadata.tokenizer.chat_template;
  try {
    if (own !== undefined) return await open(own);
  } catch (err) {
    if (!(err instanceof TemplateError)) throw err;
    log.warn({ model: spec.id, err }, 'its chat template cannot be read; ChatML is used instead');
  }
  return await open(fallbackTemplate);
}
