import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TokenSampler } from '../../../../src/engine/llama/sampling/token-sampler.ts';
import { neutralSampling, type SamplingOptions } from '../../../../src/engine/sampling-options.ts';
import type { GenerationRequest } from '../../../../src/engine/types.ts';
import { openNativeFixture, type NativeFixture } from '../../../support/native-model.ts';
import { preparedRequest } from '../../../support/step-loop-harness.ts';

let fixture: NativeFixture;
beforeAll(async () => {
  fixture = await openNativeFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const prompt = Uint32Array.from({ length: 12 }, (_, index) => 70 + index);

/** What is drawn one after the other, within the steps or after them. */
async function draw(count: number, inSteps: boolean, request: Partial<GenerationRequest>, gbnf?: string) {
  const { native, samplers, vocabulary } = fixture;
  const stepper = inSteps ? native.stepper : undefined;
  const options = { samplers, vocabulary, contextTokens: 512, stepper };
  const sampler = new TokenSampler(options, preparedRequest(prompt, request));
  if (gbnf !== undefined) sampler.constrain(gbnf, new Uint32Array());
  const tokens: number[] = [];
  native.disposeSequence(0);
  let next = prompt;
  let position = 0;
  try {
    while (tokens.length < count) {
      native.initBatch(next.length);
      const [index = 0] = native.addToBatch(0, position, next, Uint32Array.of(next.length - 1));
      const wanted = sampler.drawInStep(index);
      const [drawn] = await native.decodeBatch(wanted === undefined ? [] : [wanted]);
      const { token } = await sampler.sample(native, index, drawn);
      tokens.push(token);
      position += next.length;
      next = Uint32Array.of(token);
      if (vocabulary.endOfGeneration.has(token)) break;
    }
  } finally {
    sampler.dispose();
  }
  return tokens;
}

const samplings: Readonly<Record<string, Partial<SamplingOptions>>> = {
  greedy: { temperature: 0 },
  everything: {},
  'a high temperature': { temperature: 3 },
  'top-k': { topK: 40 },
  'a large top-k': { topK: 300, temperature: 2 },
  'top-p': { topP: 0.9 },
  'min-p': { minP: 0.05 },
  'all filters': { topK: 40, topP: 0.95, minP: 0.05, temperature: 0.8 },
  penalties: { topK: 40, frequencyPenalty: 0.7, presencePenalty: 0.3, repeatPenalty: 1.2 },
  'greedy with penalties': { temperature: 0, frequencyPenalty: 0.7, repeatPenalty: 1.2 },
};

describe('the tokens drawn within steps', () => {
  it.each(Object.entries(samplings))('are those that node-llama-cpp draws: %s', async (_, changes) => {
    for (let seed = 0; seed < 8; seed++) {
      const sampling = { ...neutralSampling, ...changes, seed };
      const request = { sampling, ignoreEos: true };
      const expected = await draw(40, false, request);
      expect(await draw(40, true, request)).toEqual(expected);
    }
  });
  it('grammar greedy', async () => {
    const gbnf = 'root ::= "{" item ("," item)* "}"\nitem ::= "\\"" [a-z]+ "\\":" [0-9]+';
    const request = { sampling: { ...neutralSampling, temperature: 0, seed: 1 } };
    const expected = await draw(60, false, request, gbnf);
    expect(await draw(60, true, request, gbnf)).toEqual(expected);
    console.log(expected.length);
    const r2 = { sampling: { ...neutralSampling, topK: 40, seed: 1 } };
    console.log(await draw(60, false, r2, gbnf), await draw(60, true, r2, gbnf));
  });
});
