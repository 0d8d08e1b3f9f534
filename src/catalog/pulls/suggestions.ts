import type { CuratedModel } from './curated-models.ts';
import { expectedTokensPerSecond, hasRoomFor, suitableModels, type MachinePower } from './expected-speed.ts';

export interface Suggestion {
  readonly model: CuratedModel;
  /** It leaves enough memory for other programs. */
  readonly fits: boolean;
  /** Of one conversation; undefined for models that write nothing, and where the memory's speed is not known. */
  readonly tokensPerSecond: number | undefined;
  /** The one chat model that suits the machine best. */
  readonly best: boolean;
}

/** All known models as `machine` would run them, in the order of the list. */
export function suggestModels(known: readonly CuratedModel[], machine: MachinePower): readonly Suggestion[] {
  const best = suitableModels(known, machine).at(-1);
  return known.map((model) => ({
    model,
    fits: hasRoomFor(machine, model),
    tokensPerSecond: ['embedding', 'speech', 'voice'].includes(model.kind)
      ? undefined
      : expectedTokensPerSecond(machine, model),
    best: model === best,
  }));
}
