import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  neutralSampling,
  type SamplingOptions,
} from '../../../../../src/engine/generation/sampling-options.ts';
import type { TinyModelOptions } from '../../../../../scripts/make/tiny-model/write-tiny-model.ts';
import { drawReference, drawTokens, hasStepper } from '../../../../support/engine/draw-tokens.ts';
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
  'by XTC': { xtcProbability: 0.5, xtcThreshold: 0.05, temperature: 0.7 },
  'by XTC and top-k': { topK: 40, xtcProbability: 0.5, xtcThreshold: 0.01 },
  'by XTC and top-p': { topP: 0.8, xtcProbability: 0.7, xtcThreshold: 0.01, temperature: 0.1 },
  'by XTC and min-p': { minP: 0.02, xtcProbability: 0.7, xtcThreshold: 0.01 },
  'by XTC with a low threshold': { xtcProbability: 0.7, xtcThreshold: 0.0001 },
  'the likeliest that XTC leaves': { temperature: 0, xtcProbability: 0.5, xtcThreshold: 0.05 },
};

/** Each with the pattern of its texts. */
const grammars = {
  'of few texts': {
    gbnf: String.raw`root ::= "{" item ("," item){2,3} "}"
item ::= "\"" [a-z]{1,3} "\":" [0-9]{1,2} | "null"`,
    texts: /^\{(?:(?:"[a-z]{1,3}":\d{1,2}|null)(?:,|\}$)){3,4}$/,
  },
  // Near the end of a word most tokens are too long.
  'of short words': {
    gbnf: 'root ::= [a-m]{1,2} (" " [a-m]{1,2}){6}',
    texts: /^[a-m]{1,2}(?: [a-m]{1,2}){6}$/,
  },
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

    it.each(Object.entries(samplings))('are as node-llama-cpp makes them: %s', async (_name, changes) => {
      for (let seed = 0; seed < 4; seed++) {
        const sampling = { ...neutralSampling, ...changes, seed };
        const request = { sampling, ignoreEos: true };
        const { tokens: own } = await drawTokens(fixture, { prompt, count: 40, request });
        const { tokens: library } = await drawReference(fixture, prompt, 40, sampling);
        const at = own.findIndex((token, index) => token !== library[index]);
        if (at === -1) continue;
        // Two tokens with one and the same logit may be sorted either way, and weights of eight bits have such at times.
        const { expected } = await drawReference(fixture, prompt, 40, sampling, true);
        const logprobOf = (token = -1) => expected[at]?.get(token) ?? NaN;
        expect(logprobOf(own[at]), `token ${at} of seed ${seed}`).toBe(logprobOf(library[at]));
      }
    });
  },
);

describe.runIf(hasStepper)('under a grammar', () => {
  let fixture: NativeFixture;
  beforeAll(async () => {
    fixture = await openNativeFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  it.each(
    Object.entries(grammars).flatMap(([name, grammar]) =>
      [
        { temperature: 0 },
        {},
        { topK: 40 },
        { topK: 5, temperature: 2 },
        { topK: 40, presencePenalty: 1, repeatPenalty: 1.2 },
        { xtcProbability: 0.5, xtcThreshold: 0.02 },
        { temperature: 0, xtcProbability: 0.5, xtcThreshold: 0.02 },
      ].map((changes) => ({ name, changes, ...grammar })),
    ),
  )('texts are those $name: $changes', async ({ changes, gbnf, texts }) => {
    const written = async (seed: number) => {
      const request = { sampling: { ...neutralSampling, ...changes, seed } };
      const { tokens } = await drawTokens(fixture, { prompt, count: 80, request, gbnf });
      return fixture.vocabulary.textOf(Uint32Array.from(tokens.slice(0, -1)));
    };
    for (let seed = 0; seed < 4; seed++) {
      const text = await written(seed);
      expect(text).toMatch(texts);
      expect(await written(seed)).toBe(text);
    }
  });
});

const draws = 10_000;

describe.runIf(hasStepper)('drawn within steps', () => {
  let fixture: NativeFixture;
  beforeAll(async () => {
    fixture = await openNativeFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  /** How often each token is drawn in 10,000 requests, and its log-probability; under a grammar, if one is given. */
  async function drawMany(gbnf?: string) {
    const { reference, own: native } = fixture;
    reference.clear();
    const logprobs = await fullLogprobs(fixture, await decode(reference, 0, 0, prompt));
    const counts = new Map<number, number>();
    for (let seed = 0; seed < draws; seed += 200) {
      const samplers = Array.from({ length: 200 }, (_, at) =>
        native.stepper.createSampler({ ...neutralSampling, seed: seed + at }, new Uint32Array()),
      );
      if (gbnf !== undefined) for (const sampler of samplers) sampler?.constrain(gbnf, new Uint32Array());
      native.cut(0, 0);
      native.initBatch(prompt.length);
      const [logitIndex = 0] = native.addToBatch(0, 0, prompt, Uint32Array.of(prompt.length - 1));
      const asked = samplers.map(({ handle }) => handle);
      const drawn = await native.decodeBatch(
        asked.map((sampler) => ({ logitIndex, sampler, alternatives: -1 })),
      );
      for (const [token = -1] of drawn) counts.set(token, (counts.get(token) ?? 0) + 1);
    }
    return { counts, logprobs };
  }

  /** Chi-square of the counts. Tokens that should come less than ten times are counted together. */
  function mustFit(counts: ReadonlyMap<number, number>, probabilities: ReadonlyMap<number, number>): void {
    let squares = 0;
    let kinds = 0;
    let [restExpected, restCount] = [0, 0];
    for (const [token, probability] of probabilities) {
      const mean = probability * draws;
      const count = counts.get(token) ?? 0;
      if (mean < 10) [restExpected, restCount] = [restExpected + mean, restCount + count];
      else [squares, kinds] = [squares + (count - mean) ** 2 / mean, kinds + 1];
    }
    if (restExpected > 0) squares += (restCount - restExpected) ** 2 / restExpected;
    expect(kinds).toBeGreaterThan(10);
    // Four standard deviations above the mean of chi-square.
    expect(squares).toBeLessThan(kinds + 4 * Math.sqrt(2 * kinds));
  }

  it('a token comes as often as the model says', async () => {
    const { counts, logprobs } = await drawMany();
    mustFit(counts, new Map([...logprobs].map(([token, logprob]) => [token, Math.exp(logprob)])));
  });

  it('a token comes as often as the model says of those that a grammar allows', async () => {
    const { counts, logprobs } = await drawMany('root ::= [a-p]+');
    const allowed = [...logprobs].filter(([token]) =>
      /^[a-p]+$/.test(Buffer.from(fixture.vocabulary.bytesOf(token)).toString('latin1')),
    );
    const total = allowed.reduce((sum, [, logprob]) => sum + Math.exp(logprob), 0);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(draws);
    mustFit(counts, new Map(allowed.map(([token, logprob]) => [token, Math.exp(logprob) / total])));
  });

  it('is the same whatever stands beside it in the step', async () => {
    const { own: native } = fixture;
    const beside = async (others: number) => {
      for (let sequence = 0; sequence < 3; sequence++) native.cut(sequence, 0);
      const create = (seed: number) => native.stepper.createSampler({ ...neutralSampling, seed }, prompt);
      const samplers = Array.from({ length: others + 1 }, (_, at) => create(at === 0 ? 5 : 100 + at));
      const indexes = samplers.map(({ handle }) => handle);
      native.initBatch(prompt.length);
      const [logitIndex = 0] = native.addToBatch(0, 0, prompt, Uint32Array.of(prompt.length - 1));
      const [drawn] = await native.decodeBatch(
        indexes.map((sampler) => ({ logitIndex, sampler, alternatives: 3 })),
      );
      return [...(drawn ?? [])];
    };
    expect(await beside(40)).toEqual(await beside(0));
  });
});
