import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { samplingParameters, toSamplingOptions } from '../../../../src/api/parameters/sampling-parameters.ts';
import { defaultSampling } from '../../../../src/engine/generation/sampling-options.ts';

const schema = z.object(samplingParameters);

describe('a sampling parameter', () => {
  it.each([
    [{ temperature: 0.3 }, { temperature: 0.3 }],
    [{ top_p: 0 }, { topP: 0 }],
    [{ top_k: 7 }, { topK: 7 }],
    [{ min_p: 0.2 }, { minP: 0.2 }],
    [{ seed: 2 ** 32 - 1 }, { seed: 2 ** 32 - 1 }],
    [{ frequency_penalty: -1 }, { frequencyPenalty: -1 }],
    [{ presence_penalty: 1.5 }, { presencePenalty: 1.5 }],
    [{ repeat_penalty: 1.1 }, { repeatPenalty: 1.1 }],
    [{ repetition_penalty: 1.2 }, { repeatPenalty: 1.2 }],
    [{ xtc_probability: 0.5 }, { xtcProbability: 0.5 }],
    [{ xtc_threshold: 0.2 }, { xtcThreshold: 0.2 }],
    [{ logit_bias: { '13': -100 } }, { logitBias: new Map([[13, -100]]) }],
  ])('%j sets its option and no other', (given, options) => {
    expect(toSamplingOptions(schema.parse(given))).toEqual({ ...defaultSampling, ...options });
  });

  it('has an option of the engine, and every option has one', () => {
    const { repetition_penalty: _sameAsRepeatPenalty, ...own } = samplingParameters;
    expect(Object.keys(own)).toHaveLength(Object.keys(defaultSampling).length);
  });

  it('may be any integer where it is the seed, which maps 64 bits to 32 and always in the same way', () => {
    const seedOf = (seed: number) => toSamplingOptions(schema.parse({ seed })).seed;
    const large = 2 ** 53 - 1;
    expect(seedOf(large)).toBe(seedOf(large));
    expect(seedOf(large)).toBeLessThan(2 ** 32);
    expect(seedOf(large)).not.toBe(seedOf(large - 2 ** 32));
    expect(schema.safeParse({ seed: 0.5 }).success).toBe(false);
  });

  it('keeps the default that an endpoint has of its own', () => {
    expect(toSamplingOptions({}, { ...defaultSampling, topP: 1 }).topP).toBe(1);
  });
});
