import type { Log } from '../telemetry/log.ts';
import { fileEngineNames, type FileEngineName } from './file-formats.ts';
import type { CacheMemory } from './llama/caches/cache-memory.ts';
import type { LazyLlama } from './llama/lazy-llama.ts';
import { leaveOutOfLibrary } from './llama/loading/leave-out.ts';
import type { FileCheck, FileModelSpec, ModelBackend } from './model-backend.ts';
import type { ModelFindings } from './model-check/trial.ts';
import type { EngineObserver } from './observer.ts';
import type { ThreadBudget } from './queue/thread-budget.ts';

/** The options that the backends of all file engines take. */
export interface FileBackendOptions {
  readonly llama: LazyLlama;
  /** Called at most once, by the engine that keeps conversations. */
  readonly openCacheMemory: () => CacheMemory;
  readonly threadBudget: ThreadBudget;
  readonly checks: Readonly<Record<FileEngineName, FileCheck>>;
  readonly targetGapMs: number;
  /** Requests that may wait for one model. */
  readonly queueLimit: number;
  readonly queueTimeoutMs: number;
  readonly observer?: EngineObserver | undefined;
  readonly log: Log;
}

/** How one engine's model files are tried and run. */
interface FileEngine {
  /** Its library believes the sizes that a file names, so they are compared with the file itself before each load. */
  readonly trustsSizes: boolean;
  /**
   * Loads the file at `path` and uses it a little; returns its findings, if any. It may crash, so it belongs in a
   * process of its own. Calls `onTemplate` before it renders a template, which may never end. Throws an Error with the
   * fault of the file, or MachineTroubleError.
   */
  tryFile(path: string, onTemplate: () => void): Promise<ModelFindings | undefined>;
  /** Opens the backend that runs such models in this process. */
  open(options: FileBackendOptions): Promise<ModelBackend<FileModelSpec>>;
}

/** The engines that run models from files, each in one row. Their code is loaded when it is needed. */
export const fileEngines = {
  llama: {
    trustsSizes: false,
    tryFile: async (path, onTemplate) => {
      leaveOutOfLibrary();
      return await (await import('./llama/loading/try-model.ts')).tryLlamaModel(path, onTemplate);
    },
    open: async (options) => {
      const llama = await options.llama.open();
      const { LlamaBackend } = await import('./llama/llama-backend.ts');
      return new LlamaBackend({
        ...options,
        llama,
        cacheMemory: options.openCacheMemory(),
        checkFile: options.checks.llama,
      });
    },
  },
  whisper: {
    trustsSizes: true,
    tryFile: async (path) => (await import('./whisper/try-model.ts')).tryWhisperModel(path),
    open: async (options) => {
      const { WhisperBackend } = await import('./whisper/whisper-backend.ts');
      return new WhisperBackend({ ...options, checkFile: options.checks.whisper });
    },
  },
} as const satisfies Record<FileEngineName, FileEngine>;

/** A model in a file, and the engine that runs it. */
export interface EngineFileSpec extends FileModelSpec {
  readonly engine: FileEngineName;
}

/** The results of `make` for each of the engines. */
export function forEachFileEngine<Value>(
  make: (name: FileEngineName) => Value,
): Readonly<Record<FileEngineName, Value>> {
  return Object.fromEntries(fileEngineNames.map((name) => [name, make(name)])) as Record<
    FileEngineName,
    Value
  >;
}
