import type { LlamaContext, LlamaModel } from 'node-llama-cpp';
import { nativeContextOf, type NativeContext } from './context.ts';
import { bindingsOf } from './model.ts';

/** A copy of a sequence's cache, outside of the context. */
export interface SavedSequence {
  /** Bytes. */
  readonly size: number;
  dispose(): void;
}

/** Copies the caches of whole sequences out of a context and back. */
export interface SequenceVault {
  save(sequence: number): Promise<SavedSequence>;
  /** The sequence then holds the first `positions` of what was saved; false: it could not be brought back. */
  restore(saved: SavedSequence, sequence: number, positions: number): Promise<boolean>;
}

interface CheckpointBindings {
  AddonContextSequenceCheckpoint: new () => SavedSequence & {
    init(context: NativeContext, sequence: number): Promise<void>;
  };
}

/**
 * A vault for `context`; undefined for models with sliding windows or recurrent states, because the addon's
 * checkpoints hold only a part of their cache.
 */
export function openSequenceVault(model: LlamaModel, context: LlamaContext): SequenceVault | undefined {
  const { swaSize, isRecurrent, isHybrid } = model.fileInsights;
  if (swaSize !== undefined || isRecurrent || isHybrid) return undefined;
  const { AddonContextSequenceCheckpoint } = bindingsOf(model.llama) as CheckpointBindings;
  const native = nativeContextOf(context) as NativeContext & {
    restoreCheckpoint(saved: SavedSequence, lastPosition: number, sequence: number): Promise<boolean>;
  };
  return {
    async save(sequence) {
      const checkpoint = new AddonContextSequenceCheckpoint();
      await checkpoint.init(native, sequence);
      return checkpoint;
    },
    restore: (saved, sequence, positions) => native.restoreCheckpoint(saved, positions - 1, sequence),
  };
}
