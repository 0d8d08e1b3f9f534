/** Which of the likely tokens may be drawn, and how much the likelier ones are preferred. */
export interface TokenFilters {
  /** 0 is greedy; up to 2. */
  readonly temperature: number;
  /** Nucleus mass in 0..1; 1 is off. */
  readonly topP: number;
  /** Candidates kept; 0 is off. */
  readonly topK: number;
  /** Least probability relative to the best candidate, 0..1; 0 is off. */
  readonly minP: number;
  /** How often the likeliest candidates are left out, all but the last above `xtcThreshold`; 0..1; 0 is off. */
  readonly xtcProbability: number;
  /** 0..1; above 0.5 no two candidates can be so likely, so that it is off. */
  readonly xtcThreshold: number;
}

/** Settings that make single tokens likelier or less likely before they are filtered. */
export interface TokenAdjustments {
  /** -2..2; 0 is off. Counts the tokens of the prompt and of the answer so far. */
  readonly frequencyPenalty: number;
  /** -2..2; 0 is off. Counts the tokens of the prompt and of the answer so far. */
  readonly presencePenalty: number;
  /** Divides the logits of tokens seen before; 1 is off. */
  readonly repeatPenalty: number;
  /** Added to the logit of each token id; -100 bans a token. */
  readonly logitBias: ReadonlyMap<number, number>;
}

export interface SamplingOptions extends TokenFilters, TokenAdjustments {
  /** Unsigned 32-bit; undefined draws a random one. */
  readonly seed: number | undefined;
}

/** Filters that are off: every token is drawn as often as the model says. */
export const neutralFilters: TokenFilters = {
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  xtcProbability: 0,
  xtcThreshold: 0.1,
};

/** Sampling that leaves the model's answers as they are. */
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
