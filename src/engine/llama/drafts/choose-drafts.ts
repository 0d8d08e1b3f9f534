import { expectedOf } from './acceptance.ts';
import { passesOf } from './passes.ts';
import type { StepCosts } from './step-costs.ts';

/** A sequence that decodes, and what is guessed of it. */
export interface DraftCandidate {
  /** llama.cpp's sequence id. */
  readonly index: number;
  /** Tokens that are computed in any case. */
  readonly tokens: number;
  /** Most tokens of a draft. */
  readonly room: number;
  /** For each guessed token the chance that it and all before it are right. */
  readonly chances: readonly number[];
}

/** Lengths of drafts that are considered: with the token before them most processors like powers of two. */
const lengths = [1, 2, 3, 5, 7, 11, 15] as const;
/**
 * Drafts must be expected to make steps a quarter more productive. The best of several estimates is mostly too good, and
 * no step follows by itself one with a draft. With 1.1 sampled text was 1 % slower than without drafts.
 */
const leastGain = 1.25;

/**
 * How many tokens to draft for each candidate, so that the step makes most tokens for its time. A draft may be longer than
 * what is guessed: sequences with equally many tokens are computed in one pass. Candidates are in the order of their ids.
 */
export function chooseDrafts(
  candidates: readonly DraftCandidate[],
  costs: Pick<StepCosts, 'costOf'>,
): readonly number[] {
  const none = candidates.map(() => 0);
  let [best, bestRate] = [none, rateOf(candidates, none, costs) * leastGain];
  for (const length of lengths) {
    if (candidates.every(({ chances }) => chances.length < length)) break;
    for (const drafts of draftsOf(candidates, length)) {
      const rate = rateOf(candidates, drafts, costs);
      if (rate > bestRate) [best, bestRate] = [drafts, rate];
    }
  }
  return best;
}

/** Drafts of up to `length` tokens for all candidates, then for the one that gains most, the two that gain most and so on. */
function draftsOf(candidates: readonly DraftCandidate[], length: number): number[][] {
  const all = candidates.map(({ room }) => Math.min(length, room));
  if (candidates.length === 1) return [all];
  const ranked = candidates
    .map(({ chances, room }, at) => ({
      at,
      gain: gainOf(chances, length),
      most: Math.min(room, chances.length),
    }))
    .filter(({ gain }) => gain > 0)
    .toSorted((a, b) => b.gain - a.gain);
  const some = ranked.map((_, count) => {
    const chosen = candidates.map(() => 0);
    for (const { at, most } of ranked.slice(0, count + 1)) chosen[at] = Math.min(length, most);
    return chosen;
  });
  return [all, ...some];
}

/** Expected tokens in the time of a pass with one. */
function rateOf(
  candidates: readonly DraftCandidate[],
  drafts: readonly number[],
  costs: Pick<StepCosts, 'costOf'>,
): number {
  const parts = candidates.map(({ index, tokens }, at) => ({ index, tokens: tokens + (drafts[at] ?? 0) }));
  const expected = candidates.reduce(
    (total, { chances }, at) => total + 1 + gainOf(chances, drafts[at] ?? 0),
    0,
  );
  return expected / costs.costOf(passesOf(parts));
}

const gainOf = (chances: readonly number[], length: number) => expectedOf(chances.slice(0, length));

/**
 * How many tokens of a draft of `most` must be expected to be right for it to be worth its time in a step of `sequences`
 * sequences that all have one; infinitely many where none is.
 */
export function leastExpected(sequences: number, most: number, costs: Pick<StepCosts, 'costOf'>): number {
  for (let percent = 20; percent <= 100; percent += 5) {
    const chance = percent / 100;
    const chances = Array.from({ length: most }, (_, at) => chance ** (at + 1));
    const candidates = Array.from({ length: sequences }, (_, index) => ({
      index,
      tokens: 1,
      room: most,
      chances,
    }));
    if (chooseDrafts(candidates, costs).some((length) => length > 0)) return expectedOf(chances);
  }
  return Number.POSITIVE_INFINITY;
}
