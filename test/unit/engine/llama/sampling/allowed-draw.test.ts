import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AllowedDraw } from '../../../../../src/engine/llama/sampling/allowed-draw.ts';
import { neutralSampling } from '../../../../../src/engine/sampling-options.ts';
import type { GrammarState } from '../../../../../src/engine/llama/native/sampler.ts';
import {
  toNativeConfig,
  type SeededSampling,
} from '../../../../../src/engine/llama/sampling/native-config.ts';
import { decode, openNativeFixture, type NativeFixture } from '../../../../support/models/native-model.ts';

let fixture: NativeFixture;
beforeAll(async () => {
  fixture = await openNativeFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** Little choice, much of it, and the end. */
const grammars = {
  word: 'root ::= "the " ("king" | "king of" | "night")',
  text: 'root ::= [a-zA-Z ,.é]+',
  digits: 'root ::= [0-9]{2}',
  end: 'root ::= ""',
};
const greedy: SeededSampling = { ...neutralSampling, temperature: 0, seed: 1 };
const sampled: SeededSampling = { ...neutralSampling, seed: 1, topK: 40, topP: 0.95, minP: 0.05 };

function begin(gbnf: string): GrammarState {
  const grammar = fixture.samplers.beginGrammar(gbnf, new Uint32Array());
  if (grammar === undefined) throw new Error('an empty text fits every beginning');
  return grammar;
}

/** Draws once from the same logits: cheaply, and as llama.cpp does it with all tokens. */
async function drawBoth(gbnf: string, sampling: SeededSampling, seenTokens: readonly number[] = []) {
  const { native, samplers, vocabulary } = fixture;
  const index = await decode(native, 0, 0, [70, 71, 72]);
  const seen = { tokens: Uint32Array.from(seenTokens), most: 64 };
  const config = toNativeConfig(sampling, seen);
  const sampler = samplers.take(config);
  const draw = new AllowedDraw({ grammar: begin(gbnf), sampler, vocabulary, shownTokens: [] });
  const token = await draw.draw({ context: native, logitIndex: index, sampling, seen });
  const reference = samplers.take({ ...config, grammarEvaluationState: begin(gbnf).native });
  // Asked for details, it asks the grammar about all tokens first.
  const [expected] = await native.sampleToken(
    index,
    reference,
    false,
    false,
    [[], false, false, false, 0],
    false,
  );
  native.disposeSequence(0);
  samplers.giveBack(sampler);
  samplers.giveBack(reference);
  return { token, expected };
}

describe.for(Object.entries(grammars))('a draw by the grammar of a %s', ([, gbnf]) => {
  it('is the likeliest allowed token when greedy', async () => {
    const { token, expected } = await drawBoth(gbnf, greedy);
    expect(token).toBe(expected);
  });

  it('respects biases and penalties', async () => {
    const { token: likeliest } = await drawBoth(gbnf, greedy);
    for (const extra of [
      { logitBias: new Map([[likeliest, -20]]) },
      { presencePenalty: 20 },
      { repeatPenalty: 5 },
    ]) {
      const { token, expected } = await drawBoth(gbnf, { ...greedy, ...extra }, [likeliest]);
      expect(token).toBe(expected);
    }
  });

  it.for([sampled, { ...sampled, topP: 1, minP: 0, temperature: 2 }, { ...sampled, topK: 3 }])(
    'comes as often as it does otherwise: %o',
    async (sampling) => {
      const difference = new Map<number, number>();
      const draws = 400;
      for (let seed = 0; seed < draws; seed++) {
        const { token, expected } = await drawBoth(gbnf, { ...sampling, seed });
        difference.set(token, (difference.get(token) ?? 0) + 1);
        difference.set(expected, (difference.get(expected) ?? 0) - 1);
      }
      const differing = [...difference.values()].reduce((total, count) => total + Math.abs(count), 0);
      expect(differing / (2 * draws)).toBeLessThan(0.15);
      for (const token of difference.keys()) expect(begin(gbnf).allows(token)).toBe(true);
    },
  );
});
