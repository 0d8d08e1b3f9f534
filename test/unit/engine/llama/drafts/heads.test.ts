import { performance } from 'node:perf_hooks';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DraftPlanner } from '../../../../../src/engine/llama/drafts/draft-planner.ts';
import { newDraftHistory, SequenceDrafts } from '../../../../../src/engine/llama/drafts/sequence-drafts.ts';
import type { PreparedRequest } from '../../../../../src/engine/llama/prepared-request.ts';
import { Slot } from '../../../../../src/engine/llama/slots/slot.ts';
import type { RunningSequence } from '../../../../../src/engine/llama/steps/running-sequence.ts';
import { RandomStream } from '../../../../../scripts/make/random-stream.ts';

const vocabularySize = 100_003;
const steps = 400;

/**
 * Tokens that an answer's last steps asked of heads that are right with `chance`, with `costMs` for a step's tokens.
 */
async function draft({
  chance = 0.9,
  takesBack = 3,
  costMs = (tokens: number) => 10 + tokens / 2,
  sequences = 1,
  promptTokens = 1,
}) {
  const random = new RandomStream(1);
  const uniform = () => random.uniform();
  /** The answers' tokens, by sequence and place: never three of them twice. */
  const truth = (sequence: number, at: number) =>
    ((at * at * 7 + at * 13 + sequence) % (vocabularySize - 1)) + 1;
  const written = Array.from({ length: sequences }, () => 0);
  let asked = 0;
  /** The heads take 1 ms for a guess, and half of one for each token that they have not read: first the prompt. */
  let [clockMs, readTokens] = [0, -promptTokens];
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs);
  const planner = new DraftPlanner({
    takesBack,
    async guess(asks) {
      asked++;
      clockMs += (asks[3] ?? 0) + ((written[0] ?? 0) - readTokens) / 2;
      readTokens = written[0] ?? 0;
      return Array.from({ length: asks.length / 4 }, (_, at) => {
        const [sequence = 0, , , most = 0] = asks.subarray(4 * at);
        const next = (written[sequence] ?? 0) + 1;
        return Float64Array.from({ length: most }, (_none, further) =>
          uniform() < chance ? truth(sequence, next + further) : 0,
        );
      });
    },
  });
  const history = newDraftHistory();
  const slots = written.map((_, index) => {
    const slot = new Slot(index, 1_000_000);
    const prepared = { promptTokens: Uint32Array.of(1), maxTokens: 2000 } as PreparedRequest;
    const drafts = new SequenceDrafts({
      prepared,
      vocabulary: { tokenizeGenerated: () => new Uint32Array(), endOfGeneration: new Set(), has: () => true },
      history,
      from: 'all',
      hasHeads: true,
      ahead: () => new Uint8Array(),
    });
    const running = { drafts, tokensLeft: 2000, sampler: { mostDrafted: 15 } };
    const nextTokens = () => Uint32Array.of(truth(index, written[index] ?? 0));
    Object.defineProperty(running, 'nextTokens', { get: nextTokens });
    slot.running = running as unknown as RunningSequence;
    return slot;
  });
  let [longest, tokens] = [0, 0];
  for (let step = 0; step < steps; step++) {
    if (step === steps / 2) [asked, longest, tokens] = [0, 0, 0];
    await planner.askHeads(slots);
    const chosen = planner.choose(slots);
    const parts = slots.map(({ index }, at) => ({
      index,
      tokens: 1 + (chosen.get(slots[at] as Slot)?.length ?? 0),
    }));
    for (const slot of slots) {
      const guessed = chosen.get(slot) ?? new Uint32Array();
      longest = Math.max(longest, guessed.length);
      const begin = (written[slot.index] ?? 0) + 1;
      let right = 0;
      while (right < guessed.length && guessed[right] === truth(slot.index, begin + right)) right++;
      const added = Uint32Array.from({ length: right + 1 }, (_, at) => truth(slot.index, begin + at));
      slot.running?.drafts?.observe(added);
      written[slot.index] = begin + right;
      tokens += added.length;
    }
    planner.observe(parts, costMs(parts.reduce((total, part) => total + part.tokens, 0)));
  }
  return { asked: asked / (steps / 2), longest, tokens: tokens / (steps / 2) };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a model's own draft head", () => {
  it('is asked in nearly every step where it is right', async () => {
    const { asked, longest, tokens } = await draft({ chance: 0.9 });
    expect(asked).toBeGreaterThan(0.9);
    expect(longest).toBe(3);
    expect(tokens).toBeGreaterThan(3);
  });

  it('is asked as often where it had a long prompt to read, or was not asked for long', async () => {
    const { asked, longest } = await draft({ chance: 0.9, promptTokens: 4000 });
    expect(asked).toBeGreaterThan(0.9);
    expect(longest).toBe(3);
  });

  it('is rarely asked, and nothing of it computed, where it is wrong', async () => {
    const { asked, longest } = await draft({ chance: 0 });
    expect(asked).toBeLessThan(0.1);
    expect(longest).toBe(0);
  });

  it('is not asked where a step takes as much longer as it has more tokens', async () => {
    const { asked, tokens } = await draft({ chance: 0.9, costMs: (count) => 10 * count });
    expect(asked).toBeLessThan(0.1);
    expect(tokens).toBe(1);
  });

  it('is asked once for all sequences', async () => {
    const { asked, tokens } = await draft({ chance: 0.9, sequences: 3 });
    expect(asked).toBeGreaterThan(0.9);
    expect(tokens).toBeGreaterThan(8);
  });

  it('guesses no more than can be taken back', async () => {
    expect((await draft({ takesBack: 2 })).longest).toBe(2);
    expect((await draft({ takesBack: 0 })).asked).toBe(0);
  });
});
