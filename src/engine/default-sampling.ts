import type { SamplingOptions } from './types.ts';

/**
 * How tokens are drawn where a request says nothing. The interface sets the temperature; the three filters are
 * llama.cpp's own defaults, without which small quantized models wander off at temperature 1.
 */
export const defaultSampling: SamplingOptions = {
  temperature: 1,
  topP: 0.95,
  topK: 40,
  minP: 0.05,
  seed: undefined,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repeatPenalty: 1,
  logitBias: new Map(),
};
