import type { Llama } from 'node-llama-cpp';
import type { Log } from '../../telemetry/log.ts';
import { useGpuFolder } from './gpu/gpu-packages.ts';
import { leaveOutOfLibrary } from './loading/leave-out.ts';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

export type { Llama } from 'node-llama-cpp';

/**
 * The llama.cpp backend of this process: the best GPU that the machine has, else the CPU.
 * Uses binaries that were installed with the package; never builds and never downloads.
 */
export async function openLlama(options: {
  readonly gpu: 'auto' | false;
  readonly maxThreads: number;
  readonly log: Log;
}): Promise<Llama> {
  const { gpu, maxThreads, log } = options;
  leaveOutOfLibrary();
  useGpuFolder();
  const { getLlama, LlamaLogLevel } = await import('node-llama-cpp');
  await readFilesInSmallParts();
  const llama = await getLlama({
    gpu,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    maxThreads,
    logLevel: LlamaLogLevel.warn,
    logger: (level, message) => {
      const line = message.trim();
      if (line === '') return;
      const isError = level === LlamaLogLevel.error || level === LlamaLogLevel.fatal;
      if (isError && !tellsOfAbort(line)) log.error({ line }, 'llama.cpp');
      else log.debug({ line }, 'llama.cpp');
    },
  });
  if (llama.gpu === false || (await llama.getGpuDeviceNames()).length > 0) return llama;
  // There is a GPU library but no GPU, as on a server with Vulkan installed.
  await llama.dispose();
  return openLlama({ ...options, gpu: false });
}

/** Whether llama.cpp says in `line` that it stopped a step because it was told to, as when a client leaves. */
export const tellsOfAbort = (line: string): boolean =>
  /failed to (?:decode, ret = 2|compute graph, compute status: 1)$/.test(line);

/** The processors that llama.cpp can use on this machine. */
export interface ComputeDevices {
  /** `cuda`, `vulkan`, `metal`; undefined: the CPU only. */
  readonly gpu: string | undefined;
  readonly gpuNames: readonly string[];
  readonly vramBytes: number;
  /** The GPU uses main memory, as on a Mac. */
  readonly sharesMainMemory: boolean;
  readonly mathCores: number;
  /** Such as `AVX2`, `AVX512`. */
  readonly cpuFeatures: readonly string[];
}

export async function inspectDevices(llama: Llama): Promise<ComputeDevices> {
  const { gpu, cpuMathCores, systemInfo } = llama;
  const { total, unifiedSize } = gpu === false ? { total: 0, unifiedSize: 0 } : await llama.getVramState();
  return {
    gpu: gpu === false ? undefined : gpu,
    gpuNames: await gpuNames(llama),
    vramBytes: total,
    sharesMainMemory: unifiedSize > 0,
    mathCores: cpuMathCores,
    cpuFeatures: [...systemInfo.matchAll(/([A-Z][A-Z0-9_]+) = 1\b/g)].map(([, name = '']) => name),
  };
}

/** In llama.cpp's order, each of them another one. */
export async function gpuNames(llama: Llama): Promise<readonly string[]> {
  const names = llama.gpu === false ? [] : await llama.getGpuDeviceNames();
  return names.map((name, at) => {
    const number = names.slice(0, at + 1).filter((other) => other === name).length;
    return number === 1 ? name : `${name} ${number}`;
  });
}

/** Bytes that are read at a time. They are parsed in one turn of the event loop, which takes about 20 ms. */
const readBytes = 256 * 1024;

/** node-llama-cpp's reader of GGUF files. It keeps bytes that it has read, and appends those that the parser wants. */
interface FileReader {
  readonly prototype: {
    _readToExpandBufferUpToOffset?: (endOffset: number, extraBytes?: number) => Promise<void>;
  };
}

let done: Promise<boolean> | undefined;

/**
 * Has node-llama-cpp read GGUF files in small parts from now on. It reads 1.5 MB at a time, so a vocabulary of 150,000
 * tokens held up all streams of this process for 100 to 250 ms, twice per load. False where its reader is not as
 * expected, and nothing was changed.
 */
export const readFilesInSmallParts = (): Promise<boolean> => (done ??= changeReader());

async function changeReader(): Promise<boolean> {
  const main = createRequire(import.meta.url).resolve('node-llama-cpp');
  const file = new URL('gguf/fileReaders/GgufFsFileReader.js', pathToFileURL(main));
  try {
    const { prototype } = ((await import(file.href)) as { GgufFsFileReader: FileReader }).GgufFsFileReader;
    const read = prototype._readToExpandBufferUpToOffset;
    if (read === undefined) return false;
    prototype._readToExpandBufferUpToOffset = function (endOffset, extraBytes = readBytes) {
      return read.call(this, endOffset, extraBytes);
    };
    return true;
  } catch {
    return false;
  }
}
