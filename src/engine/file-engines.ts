import { readSync } from 'node:fs';
import type { Log } from '../telemetry/log.ts';
import type { CacheMemory } from './llama/caches/cache-memory.ts';
import type { LazyLlama } from './llama/lazy-llama.ts';
import type { FileCheck, FileModelSpec, ModelBackend } from './model-backend.ts';
import type { EngineObserver } from './observer.ts';
import type { ThreadBudget } from './queue/thread-budget.ts';

/** A model could not be tried because of the machine, not because of its file: worth another try later. */
export class MachineTroubleError extends Error {
  override readonly name = 'MachineTroubleError';
}

export type FileEngineName = 'llama' | 'whisper';

/** What was found out about a model when it was tried. */
export interface ModelFindings {
  /** How calls of tools are written: as the chat template does, or in a plain JSON form that hearth explains. */
  readonly toolFormat: 'native' | 'json';
  /** The chat template shows the tools that a request offers, or writes calls. */
  readonly functionCalling: boolean;
  /** The model thinks before it answers. */
  readonly reasoning: boolean;
}

/** What the backends of these engines need. */
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

/** How one engine's model files are told from others, tried, and run. */
interface FileEngine {
  /** The file's first four bytes, as a little-endian number. */
  readonly magic: number;
  /** Its library believes the sizes that a file names, so they are compared with the file itself before each load. */
  readonly trustsSizes: boolean;
  /**
   * What is found out by loading the file at `path` and using it a little, if anything. It may crash, so it belongs
   * in a process of its own. Throws what is wrong with the file, or MachineTroubleError.
   */
  tryFile(path: string): Promise<ModelFindings | undefined>;
  /** What runs such models in this process. */
  open(options: FileBackendOptions): Promise<ModelBackend<FileModelSpec>>;
}

/** The engines that run models from files, each in one row. Their code is loaded when it is needed. */
export const fileEngines = {
  llama: {
    magic: 0x46554747,
    trustsSizes: false,
    tryFile: async (path) => (await import('./llama/loading/try-model.ts')).tryLlamaModel(path),
    open: async (options) => {
      const { LlamaBackend } = await import('./llama/llama-backend.ts');
      return new LlamaBackend({
        ...options,
        llama: await options.llama.open(),
        cacheMemory: options.openCacheMemory(),
        checkFile: options.checks.llama,
      });
    },
  },
  whisper: {
    magic: 0x67676d6c,
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

const fileEngineNames = Object.keys(fileEngines) as readonly FileEngineName[];

/** What `make` returns for each of the engines. */
export function forEachFileEngine<Value>(
  make: (name: FileEngineName) => Value,
): Readonly<Record<FileEngineName, Value>> {
  return Object.fromEntries(fileEngineNames.map((name) => [name, make(name)])) as Record<
    FileEngineName,
    Value
  >;
}

/** The engine of an open model file by its first bytes; undefined when there is none. */
export function fileEngineOf(fd: number): FileEngineName | undefined {
  const bytes = Buffer.alloc(4);
  if (readSync(fd, bytes, 0, bytes.length, 0) < bytes.length) return undefined;
  const magic = bytes.readUInt32LE(0);
  return fileEngineNames.find((name) => fileEngines[name].magic === magic);
}
