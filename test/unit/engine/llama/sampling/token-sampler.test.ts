import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawTokens, hasStepper } from '../../../../support/engine/draw-tokens.ts';
import { openNativeFixture, type NativeFixture } from '../../../../support/models/native-model.ts';
import { greedy } from '../../../../support/engine/step-loop-harness.ts';
import type { SamplingOptions } from '../../../../../src/engine/generation/sampling-options.ts';
import type { GenerationRequest } from '../../../../../src/engine/types.ts';

let fixture: NativeFixture;
beforeAll(async () => {
  fixture = await openNativeFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const prompt = Uint32Array.from({ length: 12 }, (_, index) => 70 + index);

const ends = (token: number | undefined) =>
  token !== undefined && fixture.vocabulary.endOfGeneration.has(token);

/** Options that add `bias` to every token that ends the turn. */
const withEndBias = (bias: number) => ({
  ...greedy,
  logitBias: new Map([...fixture.vocabulary.endOfGeneration].map((token) => [token, bias])),
});

const plain: SamplingOptions = { ...greedy, temperature: 1 };
/** For each option two samplings whose draws must differ by it, with the options that it needs for that. */
const changes: Readonly<Record<keyof SamplingOptions, readonly [SamplingOptions, SamplingOptions]>> = {
  seed: [plain, { ...plain, seed: 2 }],
  temperature: [plain, greedy],
  topK: [plain, { ...plain, topK: 1 }],
  topP: [plain, { ...plain, topP: 0.01 }],
  minP: [plain, { ...plain, minP: 1 }],
  xtcProbability: [plain, { ...plain, xtcProbability: 1, xtcThreshold: 0.001 }],
  xtcThreshold: [
    { ...plain, xtcProbability: 1, xtcThreshold: 0.5 },
    { ...plain, xtcProbability: 1, xtcThreshold: 0.001 },
  ],
  frequencyPenalty: [plain, { ...plain, frequencyPenalty: 2 }],
  presencePenalty: [plain, { ...plain, presencePenalty: 2 }],
  repeatPenalty: [plain, { ...plain, repeatPenalty: 3 }],
  logitBias: [plain, { ...plain, logitBias: new Map([[70, 100]]) }],
};

describe.runIf(hasStepper)('drawn within steps', () => {
  const draw = (count: number, request: Partial<GenerationRequest> = {}) =>
    drawTokens(fixture, { prompt, count, request, expects: true });

  describe('the end of the turn', () => {
    it('comes at once when it is made likely', async () => {
      const { tokens } = await draw(1, { sampling: withEndBias(1000) });
      expect(ends(tokens[0])).toBe(true);
    });

    it.each([1, 4])('is held off until %i tokens came, and no longer', async (minTokens) => {
      const { tokens } = await draw(minTokens + 1, { sampling: withEndBias(1000), minTokens });
      expect(tokens.map(ends).indexOf(true)).toBe(minTokens);
    });

    it('never comes when it is to be ignored, whatever its bias and the temperature', async () => {
      const sampling = { ...withEndBias(1000), temperature: 1 };
      const { tokens } = await draw(40, { sampling, ignoreEos: true });
      expect(tokens.some(ends)).toBe(false);
    });

    it('stays unlikely after the least number of tokens when the client wants it so', async () => {
      const { tokens } = await draw(20, { sampling: withEndBias(-1000), minTokens: 2 });
      expect(tokens.some(ends)).toBe(false);
    });
  });

  it('leaves out the tokens that the file says are never to be drawn', async () => {
    const { tokens } = await draw(8, { sampling: greedy });
    const suppressed = tokens.slice(0, 3);
    await using silenced = await openNativeFixture({ suppressTokens: [...suppressed, 99_999_999] });
    const others = await drawTokens(silenced, { prompt, count: 8, request: { sampling: greedy } });
    expect(others.tokens).toHaveLength(8);
    expect(others.tokens.filter((token) => suppressed.includes(token))).toEqual([]);
  });

  describe('log-probabilities', () => {
    it('are those of the unmodified model, to a thousandth', async () => {
      const sampling = { ...greedy, temperature: 1.5, topK: 50, presencePenalty: 1 };
      const { drawn, expected } = await draw(12, { sampling, minTokens: 12, topLogprobs: 5 });
      for (const [index, { token, logprob }] of drawn.entries()) {
        const all = expected[index] ?? new Map<number, number>();
        expect(all.size).toBe(fixture.vocabulary.size);
        expect(logprob?.logprob).toBeCloseTo(all.get(token) ?? Number.NaN, 3);
        const best = [...all.values()].toSorted((a, b) => b - a).slice(0, 5);
        const told = logprob?.topLogprobs.map((top) => top.logprob) ?? [];
        expect(told).toHaveLength(5);
        for (const [rank, value] of told.entries()) expect(value).toBeCloseTo(best[rank] ?? Number.NaN, 3);
      }
    });

    it('of a greedy token is the highest', async () => {
      const { drawn } = await draw(8, { minTokens: 0, topLogprobs: 1 });
      for (const { logprob } of drawn) {
        expect(logprob?.topLogprobs).toHaveLength(1);
        expect(logprob?.logprob).toBe(logprob?.topLogprobs[0]?.logprob);
        expect(logprob?.bytes).toEqual(logprob?.topLogprobs[0]?.bytes);
      }
    });

    it('come without alternatives, or not at all, as asked for', async () => {
      const { drawn: none } = await draw(1);
      expect(none[0]?.logprob).toBeUndefined();
      const { drawn: own } = await draw(1, { topLogprobs: 0 });
      expect(own[0]?.logprob?.topLogprobs).toEqual([]);
    });

    it('do not change what is drawn', async () => {
      const sampling = { ...greedy, temperature: 1, seed: 5 };
      const { tokens } = await draw(10, { sampling });
      expect((await draw(10, { sampling, topLogprobs: 20 })).tokens).toEqual(tokens);
    });
  });

  describe('the seed', () => {
    it.each([0, 5, 2 ** 32 - 1])('%i gives the same tokens every time', async (seed) => {
      const sampling = { ...greedy, temperature: 1.5, seed };
      const { tokens } = await draw(16, { sampling });
      expect((await draw(16, { sampling })).tokens).toEqual(tokens);
    });

    it('is drawn anew for each request that gives none', async () => {
      const sampling = { ...greedy, temperature: 2, seed: undefined };
      const options = { sampling, ignoreEos: true };
      expect((await draw(16, options)).tokens).not.toEqual((await draw(16, options)).tokens);
    });
  });

  describe('sampling options', () => {
    it.each(Object.entries(changes))('change what is drawn: %s', async (_name, [without, by]) => {
      const tokensBy = async (sampling: SamplingOptions) =>
        (await draw(16, { sampling, ignoreEos: true })).tokens;
      const tokens = await tokensBy(without);
      expect(await tokensBy(without)).toEqual(tokens);
      expect(await tokensBy(by)).not.toEqual(tokens);
    });

    it('ban a token by its bias', async () => {
      const { tokens } = await draw(1, { minTokens: 1 });
      const banned = tokens[0] ?? -1;
      const sampling = { ...greedy, logitBias: new Map([[banned, -100]]) };
      expect((await draw(4, { sampling, minTokens: 4 })).tokens).not.toContain(banned);
    });

    it('are off at their neutral values', async () => {
      const sampling = { ...greedy, temperature: 1, topK: 1 };
      const options = { minTokens: 10 };
      expect((await draw(10, { ...options, sampling })).tokens).toEqual((await draw(10, options)).tokens);
    });

    it('penalise what was drawn and what the prompt held', async () => {
      const sampling = { ...greedy, frequencyPenalty: 2, presencePenalty: 2, repeatPenalty: 1.5 };
      const options = { ignoreEos: true };
      const distinct = async (more: Partial<GenerationRequest>) =>
        new Set((await draw(30, { ...options, ...more })).tokens).size;
      expect(await distinct({ sampling })).toBeGreaterThan(await distinct({}));
    });
  });
});
