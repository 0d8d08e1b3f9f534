import { readSync } from 'node:fs';

/** The engines that run models from files, each with the first four bytes of its files as a little-endian number. */
export const fileMagics = { llama: 0x46554747, whisper: 0x67676d6c } as const;

export type FileEngineName = keyof typeof fileMagics;

export const fileEngineNames = Object.keys(fileMagics) as readonly FileEngineName[];

/** The engine of an open model file by its first bytes; undefined where no engine reads such files. */
export function fileEngineOf(fd: number): FileEngineName | undefined {
  const bytes = Buffer.alloc(4);
  if (readSync(fd, bytes, 0, bytes.length, 0) < bytes.length) return undefined;
  const magic = bytes.readUInt32LE(0);
  return fileEngineNames.find((name) => fileMagics[name] === magic);
}
