import { readSync } from 'node:fs';

/** A model could not be tried because of the machine, not because of its file: worth another try later. */
export class MachineTroubleError extends Error {
  override readonly name = 'MachineTroubleError';
}

/** What was found out about a model when it was tried. */
export interface ModelFindings {
  /** How calls of tools are written: as the chat template does, or in a plain JSON form that hearth explains. */
  readonly toolFormat: 'native' | 'json';
  /** The chat template shows the tools that a request offers, or writes calls. */
  readonly functionCalling: boolean;
  /** The model thinks before it answers. */
  readonly reasoning: boolean;
}

/** How one engine's model files are told from others, and tried. */
interface FileEngine {
  /** The file's first four bytes, as a little-endian number. */
  readonly magic: number;
  /**
   * What is found out by loading the file at `path` and using it a little, if anything. It may crash, so it belongs
   * in a process of its own. Throws what is wrong with the file, or MachineTroubleError.
   */
  tryFile(path: string): Promise<ModelFindings | undefined>;
}

/** The engines that run models from files, each in one row. Their code is loaded when a file is tried. */
export const fileEngines = {
  llama: {
    magic: 0x46554747,
    tryFile: async (path) => (await import('./llama/try-model.ts')).tryLlamaModel(path),
  },
  whisper: {
    magic: 0x67676d6c,
    tryFile: async (path) => (await import('./whisper/try-model.ts')).tryWhisperModel(path),
  },
} as const satisfies Record<string, FileEngine>;

export type FileEngineName = keyof typeof fileEngines;

/** The engine of an open model file by its first bytes; undefined when there is none. */
export function fileEngineOf(fd: number): FileEngineName | undefined {
  const bytes = Buffer.alloc(4);
  if (readSync(fd, bytes, 0, bytes.length, 0) < bytes.length) return undefined;
  const magic = bytes.readUInt32LE(0);
  const names = Object.keys(fileEngines) as FileEngineName[];
  return names.find((name) => fileEngines[name].magic === magic);
}
