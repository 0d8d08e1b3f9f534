import type { SamplingOptions, TokenFilters } from './types.ts';

/** Filters that are off: every token is drawn as often as the model says. */
export const neutralFilters: TokenFilters = {
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  xtcProbability: 0,
  xtcThreshold: 0.1,
};

/** Sampling that changes nothing of what the model says. */
export const neutralSampling: SamplingOptions = {
  ...neutralFilters,
  seed: undefined,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repeatPenalty: 1,
  logitBias: new Map(),
};

/**
 * How tokens are drawn where a request says nothing. The interface sets the temperature; the three filters are
 * llama.cpp's own defaults, without which small quantized models wander off at temperature 1.
 */
export const defaultSampling: SamplingOptions = { ...neutralSampling, topP: 0.95, topK: 40, minP: 0.05 };
