import { performance } from 'node:perf_hooks';
import type { NativeContext } from '../native/context/context.ts';
import type { Slot } from '../slots/slot.ts';
import { mostDraftTokens, mostHeadTokens } from './sequence-drafts.ts';
import { StepCosts } from './step-costs.ts';
import { expectedOf } from './acceptance.ts';

/** The costs of steps change slowly: the tokens that a draft needs are worked out anew after 32 steps. */
const stepsPerCosts = 32;
/**
 * The saving of drafts is known by the time of steps without any. A model's own heads would have all steps draft, so
 * that 8 without come first, and then one after 32.
 */
const plainSteps = { first: 8, every: 32 } as const;

/** Decides which drafts a step computes, by their gain and by the costs of steps. */
export class DraftPlanner {
  readonly #costs = new StepCosts();
  /** Right tokens that a draft needs to be worth its time, by the number of sequences that decode. */
  readonly #least = new Map<number, number>();
  #stepsUntilWorkedOut = 0;
  /** Steps without drafts before the heads are asked. */
  #plainDue: number = plainSteps.first;
  #draftedSteps = 0;
  readonly #context: Pick<NativeContext, 'guess' | 'takesBack'>;

  constructor(context: Pick<NativeContext, 'guess' | 'takesBack'>) {
    this.#context = context;
  }

  /** Has the model's own heads guess for those of the slots, which all decode, where that is worth its time. */
  async askHeads(slots: readonly Slot[]): Promise<void> {
    const asked = this.#headTokens(slots).filter(({ most }) => most > 0);
    if (this.#context.guess === undefined || asked.length === 0) return;
    const beganAtMs = performance.now();
    const asks = asked.flatMap(({ slot, token, most }) => [slot.index, token, slot.position, most]);
    const guesses = await this.#context.guess(Int32Array.from(asks));
    // Heads that were not asked for long first read all that they have missed, which says little about a guess.
    if (asked.every(({ slot }) => (slot.running?.drafts?.unreadByHeads ?? 0) <= mostHeadTokens + 1))
      this.#costs.observeHeads(Math.max(...asked.map(({ most }) => most)), performance.now() - beganAtMs);
    for (const [at, { slot, isTrial }] of asked.entries()) {
      const drafts = slot.running?.drafts;
      if (isTrial) drafts?.headAcceptance?.beginTrial();
      drafts?.tellHeads(Uint32Array.from(guesses[at] ?? []));
    }
  }

  /** How many tokens the heads should guess for each slot behind its next one: so many that a step is worth both, or a trial. */
  #headTokens(slots: readonly Slot[]): HeadAsk[] {
    if (this.#context.guess === undefined || this.#plainDue > 0) return [];
    const candidates = slots
      .toSorted((a, b) => a.index - b.index)
      .map((slot) => {
        const { drafts, nextTokens = noTokens } = slot.running ?? {};
        const room = Math.min(mostHeadTokens, this.#roomOf(slot), slot.running?.tokensLeft ?? 0);
        const acceptance = nextTokens.length === 1 && room > 0 ? drafts?.headAcceptance : undefined;
        const chances = acceptance?.chances(room) ?? [];
        const tokens = nextTokens.length;
        return { slot, index: slot.index, tokens, room, chances, acceptance, token: nextTokens[0] ?? 0 };
      });
    const tokens = candidates.reduce((total, candidate) => total + candidate.tokens, 0);
    const lengths = chooseDrafts(candidates, {
      costOf: (passes) => {
        const drafted = passes.reduce((total, pass) => total + pass, 0) / tokens - 1;
        return this.#costs.costOf(passes) + drafted * this.#costs.headCost;
      },
    });
    const isNone = lengths.every((length) => length === 0);
    return candidates.map(({ slot, token, chances, acceptance }, at) => {
      const isTrial = isNone && acceptance?.waitForTrial() === true;
      return { slot, token, isTrial, most: isTrial ? 1 : Math.min(chances.length, lengths[at] ?? 0) };
    });
  }

  /** Most tokens of a draft for the slot. */
  #roomOf({ running, capacity, length }: Slot): number {
    const cells = capacity - length - (running?.nextTokens?.length ?? 1);
    return Math.max(0, Math.min(cells, this.#context.takesBack, running?.sampler.mostDrafted ?? 0));
  }

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
    return (
      this.#plan(slots).some(({ length }) => length > 0) ||
      this.#headTokens(slots).some(({ most }) => most > 0)
    );
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
    const candidates = ordered.map((slot, at) => {
      const tokens = slot.running?.nextTokens?.length ?? 1;
      const room = this.#roomOf(slot);
      const chances = guesses[at]?.chances.slice(0, Math.min(room, slot.running?.tokensLeft ?? 0)) ?? [];
      return { index: slot.index, tokens, room, chances };
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

  /** Learns from a step that only decoded. `parts`: its tokens, in the order of the ids of sequences. */
  observe(parts: readonly SequenceTokens[], elapsedMs: number): void {
    if (parts.every(({ tokens }) => tokens === 1)) this.#plainDue = Math.max(0, this.#plainDue - 1);
    else if (++this.#draftedSteps % plainSteps.every === 0) this.#plainDue = 1;
    this.#costs.observe(passesOf(parts), elapsedMs);
  }
}

/** The heads are asked for up to `most` tokens behind the slot's next one. */
interface HeadAsk {
  readonly slot: Slot;
  readonly token: number;
  readonly most: number;
  /** That is not expected to be worth its time, but may be by now. */
  readonly isTrial: boolean;
}

const noTokens = new Uint32Array();

/** `length` tokens: the last one is repeated where there are fewer. */
function padded(tokens: Uint32Array, length: number): Uint32Array {
  if (tokens.length >= length) return tokens.subarray(0, length);
  const draft = new Uint32Array(length).fill(tokens.at(-1) ?? 0);
  draft.set(tokens);
  return draft;
}

/** A sequence that decodes, and the guess for it. */
interface DraftCandidate {
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
 * How many tokens to draft for each candidate, so that the step makes most tokens for its time. A draft may be longer
 * than the guess: sequences with equally many tokens are computed in one pass. Candidates are in the order of their
 * ids.
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

/** The tokens that a step computes of one sequence. */
interface SequenceTokens {
  /** llama.cpp's sequence id. */
  readonly index: number;
  readonly tokens: number;
}

/**
 * In how many passes over the model llama.cpp computes a step, and how many tokens each of them has. A pass has equally
 * many tokens of each of its sequences, whose ids ascend without a gap. `parts` are in the order of their ids.
 */
export function passesOf(parts: readonly SequenceTokens[]): number[] {
  let left = parts.filter(({ tokens }) => tokens > 0);
  const passes: number[] = [];
  while (left.length > 0) {
    const first = left[0]?.index ?? 0;
    const gap = left.findIndex(({ index }, at) => index !== first + at);
    const together = gap < 0 ? left.length : gap;
    const each = Math.min(...left.slice(0, together).map(({ tokens }) => tokens));
    passes.push(together * each);
    left = left
      .map(({ index, tokens }, at) => ({ index, tokens: at < together ? tokens - each : tokens }))
      .filter(({ tokens }) => tokens > 0);
  }
  return passes;
}
