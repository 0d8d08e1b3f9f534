import type { SamplingOptions } from '../../sampling-options.ts';
import type { NativeSamplerConfig } from '../native/sampler.ts';

/** Sampling whose random numbers are settled. */
export interface SeededSampling extends SamplingOptions {
  readonly seed: number;
}

/** The tokens that penalties count. */
export interface SeenTokens {
  readonly tokens: Uint32Array;
  /** The number of last tokens that count, those included that the sampler draws from now on. */
  readonly most: number;
}

/** `sampling` in the addon's terms; the only place that knows both. `seen` is needed where `isPenalised`. */
export function toNativeConfig(sampling: SeededSampling, seen?: SeenTokens): NativeSamplerConfig {
  const { temperature, topK, topP, minP, seed, logitBias } = sampling;
  const config: NativeSamplerConfig = { temperature, ...(topK > 0 && { topK }), topP, minP, seed };
  if (seen !== undefined && isPenalised(sampling)) {
    config.repeatPenalty = sampling.repeatPenalty;
    config.repeatPenaltyFrequencyPenalty = sampling.frequencyPenalty;
    config.repeatPenaltyPresencePenalty = sampling.presencePenalty;
    config.repeatPenaltyMaxTokens = seen.most;
    config.repeatPenaltyTokens = seen.tokens;
  }
  if (sampling.xtcProbability > 0) {
    config.xtcProbability = sampling.xtcProbability;
    config.xtcThreshold = sampling.xtcThreshold;
  }
  if (logitBias.size > 0) {
    config.tokenBiasKeys = Uint32Array.from(logitBias.keys());
    config.tokenBiasValues = Float32Array.from(logitBias.values());
  }
  return config;
}

/** The draw depends on the tokens that came before. */
export const isPenalised = ({ frequencyPenalty, presencePenalty, repeatPenalty }: SamplingOptions): boolean =>
  frequencyPenalty !== 0 || presencePenalty !== 0 || repeatPenalty !== 1;
