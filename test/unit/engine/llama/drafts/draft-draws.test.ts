import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  neutralSampling,
  type SamplingOptions,
} from '../../../../../src/engine/generation/sampling-options.ts';
import { TokenSampler } from '../../../../../src/engine/llama/sampling/token-sampler.ts';
import { hasStepper } from '../../../../support/engine/draw-tokens.ts';
import { preparedRequest } from '../../../../support/engine/step-loop-harness.ts';
import { openNativeFixture, type NativeFixture } from '../../../../support/models/native-model.ts';

const prompt = Uint32Array.from({ length: 12 }, (_, index) => 70 + index);
const count = 24;

const samplings: Readonly<Record<string, Partial<SamplingOptions>>> = {
  'the likeliest': { temperature: 0 },
  'by all filters': { topK: 40, topP: 0.95, minP: 0.05, temperature: 0.8 },
  'with penalties': { topK: 40, frequencyPenalty: 0.7, presencePenalty: 0.3, repeatPenalty: 1.2 },
  'by XTC': { xtcProbability: 0.5, xtcThreshold: 0.05, temperature: 0.7 },
};

describe.runIf(hasStepper)('tokens that are drawn along a draft', () => {
  let fixture: NativeFixture;
  beforeAll(async () => {
    fixture = await openNativeFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  /** Draws `count` tokens; `draftAfter` guesses the next ones, and `takenBack` tells how many are drawn again. */
  async function draw(
    changes: Partial<SamplingOptions>,
    draftAfter: (drawn: readonly number[]) => readonly number[],
    takenBack: (sampled: number) => number = () => 0,
  ): Promise<number[]> {
    const { vocabulary, own } = fixture;
    const request = { sampling: { ...neutralSampling, ...changes, seed: 3 }, ignoreEos: true };
    const sampler = new TokenSampler(own.stepper, vocabulary, preparedRequest(prompt, request));
    own.cut(0, 0);
    const drawn: number[] = [];
    for (let [position, next] = [0, prompt]; drawn.length < count;) {
      const draft = Uint32Array.from(draftAfter(drawn));
      const all = Uint32Array.of(...next, ...draft);
      own.initBatch(all.length);
      const wanted = Uint32Array.from({ length: draft.length + 1 }, (_, at) => next.length - 1 + at);
      const [first = 0] = own.addToBatch(0, position, all, wanted);
      const [told] = await own.decodeBatch([sampler.drawInStep(first, draft)]);
      const sampled = sampler.read(told);
      const kept = sampled.length - Math.min(sampled.length - 1, takenBack(sampled.length));
      sampler.takeBack(sampled.length - kept);
      drawn.push(...sampled.slice(0, kept).map(({ token }) => token));
      position += next.length + kept - 1;
      expect(own.cut(0, position)).toBe(true);
      next = Uint32Array.of(drawn.at(-1) ?? 0);
    }
    return drawn.slice(0, count);
  }

  it.each(Object.entries(samplings))('are those that are drawn one by one: %s', async (_, changes) => {
    const expected = await draw(changes, () => []);
    const right = (drawn: readonly number[]) => expected.slice(drawn.length, drawn.length + 7);
    const partlyRight = (drawn: readonly number[]) => [...right(drawn).slice(0, 3), 5, 6];
    expect(await draw(changes, right)).toEqual(expected);
    expect(await draw(changes, partlyRight)).toEqual(expected);
    expect(await draw(changes, () => [1, 2, 3])).toEqual(expected);
    expect(await draw(changes, right, (sampled) => sampled - 2)).toEqual(expected);
  });
});
