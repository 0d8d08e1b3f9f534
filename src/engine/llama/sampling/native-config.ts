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
  const { temperature, topK, topP, minP, seed, logitBias, xtcProbability, xtcThreshold, ...others } =
    sampling;
  const { repeatPenalty, frequencyPenalty, presencePenalty, ...unread } = others;
  return {
    // An option that is not read here does not compile.
    ...(unread satisfies Record<string, never>),
    temperature,
    topP,
    minP,
    seed,
    ...(topK > 0 && { topK }),
    ...(seen !== undefined &&
      isPenalised(sampling) && {
        repeatPenalty,
        repeatPenaltyFrequencyPenalty: frequencyPenalty,
        repeatPenaltyPresencePenalty: presencePenalty,
        repeatPenaltyMaxTokens: seen.most,
        repeatPenaltyTokens: seen.tokens,
      }),
    ...(xtcProbability > 0 && { xtcProbability, xtcThreshold }),
    ...(logitBias.size > 0 && {
      tokenBiasKeys: Uint32Array.from(logitBias.keys()),
      tokenBiasValues: Float32Array.from(logitBias.values()),
    }),
  };
}

/** The draw depends on the tokens that came before. */
export const isPenalised = ({ frequencyPenalty, presencePenalty, repeatPenalty }: SamplingOptions): boolean =>
  frequencyPenalty !== 0 || presencePenalty !== 0 || repeatPenalty !== 1;
