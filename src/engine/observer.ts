/** Why a model left memory. */
export type UnloadReason = 'idle' | 'evicted' | 'requested' | 'shutdown';

/** Told what happens to models and requests, by the loops that do it: each call must be quick and must not throw. */
export interface EngineObserver {
  modelLoaded(modelId: string, loadMs: number): void;
  modelLoadFailed(modelId: string): void;
  modelUnloaded(modelId: string, reason: UnloadReason): void;
  /** A generation has left its slot, however it ended. */
  generationEnded(modelId: string, times: GenerationTimes): void;
}

/** How long a generation took. */
export interface GenerationTimes {
  /** For a slot of the model, which was in memory by then. */
  readonly waitMs: number;
  /** Mean time between two tokens; undefined: there were fewer than two. */
  readonly gapMs: number | undefined;
}
