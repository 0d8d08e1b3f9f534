import type { Slot } from '../slots/slot.ts';
import { chooseDrafts, leastExpected } from './choose-drafts.ts';
import { passesOf, type SequenceTokens } from './passes.ts';
import { mostDraftTokens } from './sequence-drafts.ts';
import { StepCosts } from './step-costs.ts';

/** The costs of steps change slowly: what follows from them is worked out anew after 32 steps. */
const stepsPerCosts = 32;

/** Decides which drafts a step computes, by what they may gain and by what steps cost. */
export class DraftPlanner {
  readonly #costs = new StepCosts();
  /** Right tokens that a draft needs to be worth its time, by the number of sequences that decode. */
  readonly #least = new Map<number, number>();
  #stepsUntilWorkedOut = 0;

  /** A draft for each of the slots, which all decode; none where it is not worth its time. */
  choose(slots: readonly Slot[]): ReadonlyMap<Slot, Uint32Array> {
    const drafts = this.#plan(slots);
    return new Map(
      drafts.map(({ slot, tokens, length }) => {
        slot.running?.drafts?.compute(Math.min(length, tokens.length));
        return [slot, padded(tokens, length)];
      }),
    );
  }

  /** Whether `choose` would choose any. */
  wants(slots: readonly Slot[]): boolean {
    return this.#plan(slots).some(({ length }) => length > 0);
  }

  /** How many tokens to draft for each slot, and the guess for it; nothing where nobody has one. */
  #plan(slots: readonly Slot[]): { slot: Slot; tokens: Uint32Array; length: number }[] {
    const ordered = slots.toSorted((a, b) => a.index - b.index);
    if (ordered.every(({ running }) => running?.drafts === undefined)) return [];
    const least = this.#leastExpected(ordered.length);
    const guesses = ordered.map(
      ({ running }) => running?.drafts?.guess(least) ?? { tokens: noTokens, chances: [] },
    );
    if (guesses.every(({ tokens }) => tokens.length === 0)) return [];
    const candidates = ordered.map(({ index, running, length, capacity }, at) => {
      const tokens = running?.nextTokens?.length ?? 1;
      const room = Math.max(0, Math.min(capacity - length - tokens, running?.sampler.mostDrafted ?? 0));
      const chances = guesses[at]?.chances.slice(0, Math.min(room, running?.tokensLeft ?? 0)) ?? [];
      return { index, tokens, room, chances };
    });
    const lengths = chooseDrafts(candidates, this.#costs);
    return ordered.map((slot, at) => ({
      slot,
      tokens: (guesses[at]?.tokens ?? noTokens).subarray(0, candidates[at]?.chances.length),
      length: lengths[at] ?? 0,
    }));
  }

  #leastExpected(sequences: number): number {
    if (this.#stepsUntilWorkedOut-- <= 0) {
      this.#least.clear();
      this.#stepsUntilWorkedOut = stepsPerCosts;
    }
    const known = this.#least.get(sequences) ?? leastExpected(sequences, mostDraftTokens, this.#costs);
    this.#least.set(sequences, known);
    return known;
  }

  /** Learns from a step that only decoded. `parts`: what it computed, in the order of the ids of sequences. */
  observe(parts: readonly SequenceTokens[], elapsedMs: number): void {
    this.#costs.observe(passesOf(parts), elapsedMs);
  }
}

const noTokens = new Uint32Array();

/** `length` tokens: the last one is repeated where there are fewer. */
function padded(tokens: Uint32Array, length: number): Uint32Array {
  if (tokens.length >= length) return tokens.subarray(0, length);
  const draft = new Uint32Array(length).fill(tokens.at(-1) ?? 0);
  draft.set(tokens);
  return draft;
}
