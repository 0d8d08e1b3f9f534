import type { LlamaContext } from 'node-llama-cpp';
import { nativeContextOf } from './context.ts';

/** Writes the caches of sequences into files, and reads them back. One call at a time, and only between steps. */
export interface SequenceFiles {
  /** Replaces what is in the file. Throws when it cannot be written. */
  write(file: string, sequence: number, tokens: Uint32Array): Promise<void>;
  /**
   * The tokens that were written with the cache; the sequence, which must be empty, then holds it. Throws where there are
   * more than `mostTokens`, or where the file does not fit. llama.cpp believes what a file says: so only files that are
   * known to be unchanged may be read.
   */
  read(file: string, sequence: number, mostTokens: number): Promise<Uint32Array>;
}

interface FileBindings {
  saveSequenceStateToFile(file: string, sequence: number, tokens: Uint32Array): Promise<number>;
  loadSequenceStateFromFile(file: string, sequence: number, mostTokens: number): Promise<Uint32Array>;
}

export function openSequenceFiles(context: LlamaContext): SequenceFiles {
  const native = nativeContextOf(context) as unknown as FileBindings;
  return {
    async write(file, sequence, tokens) {
      await native.saveSequenceStateToFile(file, sequence, tokens);
    },
    read: (file, sequence, mostTokens) => native.loadSequenceStateFromFile(file, sequence, mostTokens),
  };
}
