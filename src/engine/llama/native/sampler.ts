import type { LlamaModel } from 'node-llama-cpp';
import { bindingsOf, nativeModelOf, type NativeModel } from './model.ts';

/** The addon's sampler; opaque, freed by `dispose`. */
export interface NativeSampler {
  applyConfig(config: NativeSamplerConfig): void;
  dispose(): void;
}

/** The settings of the addon's sampler chain: bias, penalties, top-k, top-p, min-p, XTC, temperature, seed. */
export interface NativeSamplerConfig {
  temperature: number;
  /** 2 ** 32 - 1 stands for a random one. */
  seed: number;
  /** 0 keeps all candidates too, but sorts them; leave it out instead. */
  topK?: number;
  topP: number;
  minP: number;
  xtcProbability?: number;
  xtcThreshold?: number;
  repeatPenalty?: number;
  repeatPenaltyMaxTokens?: number;
  repeatPenaltyTokens?: Uint32Array;
  repeatPenaltyPresencePenalty?: number;
  repeatPenaltyFrequencyPenalty?: number;
  tokenBiasKeys?: Uint32Array;
  tokenBiasValues?: Float32Array;
  grammarEvaluationState?: NativeGrammarState;
}

/** How far a grammar has come; opaque, freed by the garbage collector. */
interface NativeGrammarState {
  readonly grammarState: unique symbol;
}

/** How far a grammar has come, and which tokens may come next. */
export interface GrammarState {
  readonly native: NativeGrammarState;
  allows(token: number): boolean;
  /** Goes on by `token`, which must be allowed. */
  accept(token: number): void;
}

interface SamplerBindings {
  AddonSampler: {
    new (model: NativeModel): NativeSampler;
    acceptGrammarEvaluationStateToken(state: NativeGrammarState, token: number): void;
    canBeNextTokenForGrammarEvaluationState(state: NativeGrammarState, token: number): boolean;
  };
  AddonGrammar: new (gbnf: string, options: { addonExports: unknown; rootRuleName: string }) => object;
  AddonGrammarEvaluationState: new (model: NativeModel, grammar: object) => NativeGrammarState;
}

export function createNativeSampler(model: LlamaModel): NativeSampler {
  // In one expression the compiler drops the parentheses around the call, and `new bindingsOf(…)` is left.
  const { AddonSampler } = bindingsOf(model.llama) as SamplerBindings;
  return new AddonSampler(nativeModelOf(model));
}

/**
 * The state of the grammar `gbnf` after the tokens `begun`; undefined when these do not fit the grammar.
 * Throws when llama.cpp cannot parse it.
 */
export function createGrammarState(
  model: LlamaModel,
  gbnf: string,
  begun: Uint32Array,
): GrammarState | undefined {
  const bindings = bindingsOf(model.llama) as SamplerBindings;
  const { AddonGrammar, AddonGrammarEvaluationState, AddonSampler } = bindings;
  const grammar = new AddonGrammar(gbnf, { addonExports: bindings, rootRuleName: 'root' });
  const native = new AddonGrammarEvaluationState(nativeModelOf(model), grammar);
  const state: GrammarState = {
    native,
    allows: (token) => AddonSampler.canBeNextTokenForGrammarEvaluationState(native, token),
    accept: (token) => AddonSampler.acceptGrammarEvaluationStateToken(native, token),
  };
  for (const token of begun) {
    if (!state.allows(token)) return undefined;
    state.accept(token);
  }
  return state;
}
