import { readSync } from 'node:fs';

/** The engines that run models from files. `magic`: the first four bytes of such a file as a little-endian number. */
export const fileFormats = {
  llama: { magic: 0x46554747, name: 'gguf', extension: 'gguf' },
  whisper: { magic: 0x67676d6c, name: 'ggml', extension: 'bin' },
} as const;

export type FileEngineName = keyof typeof fileFormats;

export const fileEngineNames = Object.keys(fileFormats) as readonly FileEngineName[];

/** The engine of an open model file by its first bytes; undefined where no engine reads such files. */
export function fileEngineOf(fd: number): FileEngineName | undefined {
  const bytes = Buffer.alloc(4);
  if (readSync(fd, bytes, 0, bytes.length, 0) < bytes.length) return undefined;
  const magic = bytes.readUInt32LE(0);
  return fileEngineNames.find((name) => fileFormats[name].magic === magic);
}
