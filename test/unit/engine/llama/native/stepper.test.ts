import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStepper, stepperTrouble } from '../../../../../src/engine/llama/native/stepper.ts';
import { neutralSampling, type SamplingOptions } from '../../../../../src/engine/sampling-options.ts';
import type { TinyModelOptions } from '../../../../../scripts/make/tiny-model/write-tiny-model.ts';
import { drawTokens, hasStepper, type DrawPath } from '../../../../support/engine/draw-tokens.ts';
import {
  decode,
  fullLogprobs,
  openNativeFixture,
  type NativeFixture,
} from '../../../../support/models/native-model.ts';

const prompt = Uint32Array.from({ length: 12 }, (_, index) => 70 + index);

const samplings: Readonly<Record<string, Partial<SamplingOptions>>> = {
  'the likeliest': { temperature: 0 },
  'any by its probability': {},
  'any at a high temperature': { temperature: 3 },
  'by top-k': { topK: 40 },
  'by a large top-k': { topK: 300, temperature: 2 },
  'by top-p': { topP: 0.9 },
  'by min-p': { minP: 0.05 },
  'by all filters': { topK: 40, topP: 0.95, minP: 0.05, temperature: 0.8 },
  'with penalties': { topK: 40, frequencyPenalty: 0.7, presencePenalty: 0.3, repeatPenalty: 1.2 },
  'the likeliest with penalties': { temperature: 0, frequencyPenalty: 0.7, repeatPenalty: 1.2 },
  'with biases': {
    topK: 40,
    logitBias: new Map([
      [65, 8],
      [101, -100],
      [32, 3],
    ]),
  },
  'by XTC, which is not the stepper’s': { topK: 40, xtcProbability: 0.5, xtcThreshold: 0.01 },
};

const grammars = {
  'of few texts': String.raw`root ::= "{" item ("," item){2,9} "}"
item ::= "\"" [a-z]+ "\":" [0-9]+ | "null"`,
  // Near the end of a word most tokens are too long.
  'of short words': 'root ::= [^ ]{1,2} (" " [^ ]{1,2}){12}',
};

const models: Readonly<Record<string, TinyModelOptions>> = {
  'that is usual here': {},
  'with other weights, of eight bits': { seed: 7, weightType: 'q8_0', layers: 3 },
  'whose bytes come as they like': { seed: 3, strayBytes: true, mergeCount: 40, headCountKv: 1 },
};

describe.runIf(hasStepper).each(Object.entries(models))(
  'the draws within steps of a model %s',
  (_, options) => {
    let fixture: NativeFixture;
    beforeAll(async () => {
      fixture = await openNativeFixture(options);
    });
    afterAll(() => fixture[Symbol.asyncDispose]());

    const draw = async (path: DrawPath, changes: Partial<SamplingOptions>, seed: number, gbnf?: string) => {
      const request = { sampling: { ...neutralSampling, ...changes, seed }, ignoreEos: gbnf === undefined };
      return (await drawTokens(fixture, { path, prompt, count: 40, request, gbnf })).tokens;
    };

    it.each(Object.entries(samplings))('are node-llama-cpp’s own: %s', async (_name, changes) => {
      for (let seed = 0; seed < 4; seed++)
        expect(await draw('within steps', changes, seed)).toEqual(await draw('after steps', changes, seed));
    });

    describe.each(Object.entries(grammars))('under a grammar %s', (_name, grammar) => {
      it.each([
        { temperature: 0 },
        { topK: 40 },
        { topK: 5, temperature: 2 },
        {},
        { topK: 40, presencePenalty: 1 },
      ])('are node-llama-cpp’s own: %o', async (changes) => {
        for (let seed = 0; seed < 4; seed++)
          expect(await draw('within steps', changes, seed, grammar)).toEqual(
            await draw('after steps', changes, seed, grammar),
          );
      });
    });
  },
);

describe.runIf(hasStepper)('drawn within steps', () => {
  let fixture: NativeFixture;
  beforeAll(async () => {
    fixture = await openNativeFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  it('a token comes as often as the model says', async () => {
    const { native } = fixture;
    const index = await decode(native, 0, 0, prompt);
    const expected = await fullLogprobs(fixture, index);
    const counts = new Map<number, number>();
    const draws = 10_000;
    for (let seed = 0; seed < draws; seed += 200) {
      const drawers = Array.from({ length: 200 }, (_, at) =>
        native.stepper?.createDrawer({ ...neutralSampling, seed: seed + at }, new Uint32Array()),
      );
      native.disposeSequence(0);
      native.initBatch(prompt.length);
      const [logitIndex = 0] = native.addToBatch(0, 0, prompt, Uint32Array.of(prompt.length - 1));
      const asked = drawers.flatMap((drawer) => (drawer === undefined ? [] : [drawer.handle]));
      const drawn = await native.decodeBatch(
        asked.map((drawer) => ({ logitIndex, drawer, alternatives: -1 })),
      );
      for (const [token = -1] of drawn) counts.set(token, (counts.get(token) ?? 0) + 1);
    }
    // Tokens that come less than ten times are counted together.
    let squares = 0;
    let kinds = 0;
    let [restExpected, restCount] = [0, 0];
    for (const [token, logprob] of expected) {
      const mean = Math.exp(logprob) * draws;
      const count = counts.get(token) ?? 0;
      if (mean < 10) [restExpected, restCount] = [restExpected + mean, restCount + count];
      else [squares, kinds] = [squares + (count - mean) ** 2 / mean, kinds + 1];
    }
    if (restExpected > 0) squares += (restCount - restExpected) ** 2 / restExpected;
    expect(kinds).toBeGreaterThan(10);
    // Four standard deviations above the mean of chi-square.
    expect(squares).toBeLessThan(kinds + 4 * Math.sqrt(2 * kinds));
  });

  it('is the same whatever stands beside it in the step', async () => {
    const { native } = fixture;
    const beside = async (others: number) => {
      for (let sequence = 0; sequence < 3; sequence++) native.disposeSequence(sequence);
      const create = (seed: number) => native.stepper?.createDrawer({ ...neutralSampling, seed }, prompt);
      const drawers = Array.from({ length: others + 1 }, (_, at) => create(at === 0 ? 5 : 100 + at));
      const indexes = drawers.map((drawer) => {
        if (drawer === undefined) throw new Error('no stepper');
        return drawer.handle;
      });
      native.initBatch(prompt.length);
      const [logitIndex = 0] = native.addToBatch(0, 0, prompt, Uint32Array.of(prompt.length - 1));
      const [drawn] = await native.decodeBatch(
        indexes.map((drawer) => ({ logitIndex, drawer, alternatives: 3 })),
      );
      return [...(drawn ?? [])];
    };
    expect(await beside(40)).toEqual(await beside(0));
  });

  it('is refused on a context that is laid out in another way', () => {
    const { context } = fixture;
    const other = Object.create(context, { totalSequences: { value: 99 } }) as typeof context;
    expect(openStepper(other)).toBeUndefined();
    expect(stepperTrouble()).toContain('laid out in another way');
  });
});
