/** Why a model left memory. */
export type UnloadReason = 'idle' | 'evicted' | 'requested' | 'shutdown' | 'lost';

/** Is told what happens to models and requests. Its methods must be quick and must not throw. */
export interface EngineObserver {
  modelLoaded(modelId: string, loadMs: number): void;
  modelLoadFailed(modelId: string): void;
  modelUnloaded(modelId: string, reason: UnloadReason): void;
  /** A generation has left its slot, however it ended. */
  generationEnded(modelId: string, times: GenerationTimes): void;
}

/** How long a generation took. */
export interface GenerationTimes {
  /** The wait for a slot, after the model was loaded. */
  readonly waitMs: number;
  /** Mean time between two tokens; undefined: there were fewer than two. */
  readonly gapMs: number | undefined;
}
