/** Why a model left memory. */
export type UnloadReason = 'idle' | 'evicted' | 'requested' | 'shutdown' | 'lost';

/** Is told of events of models and requests. Its methods must be quick and must not throw. */
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
  /** Tokens guessed of it, by drafter; undefined: another server computed it. */
  readonly drafts?: readonly DraftCounts[];
}

/**
 * Who guesses an answer's next tokens: its grammar, the client's prediction, the text before, or the model's own draft
 * heads.
 */
export const drafterNames = ['grammar', 'prediction', 'text', 'heads'] as const;
export type DrafterName = (typeof drafterNames)[number];

/** Tokens of an answer that one drafter guessed. */
export interface DraftCounts {
  readonly drafter: DrafterName;
  /** Computed in steps. */
  readonly drafted: number;
  /** Of these, the ones that the answer has. */
  readonly accepted: number;
}
