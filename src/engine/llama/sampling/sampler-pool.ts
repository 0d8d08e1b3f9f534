import type { LlamaModel } from 'node-llama-cpp';
import {
  createGrammarState,
  createNativeSampler,
  type GrammarState,
  type NativeSampler,
  type NativeSamplerConfig,
} from '../native/sampler.ts';

/**
 * Lends native samplers, to use them again. Each holds a dozen bytes per token of the vocabulary, which `dispose` does
 * not free, but only a full garbage collection: new ones for every request would pile up to gigabytes.
 */
export class SamplerPool {
  readonly #model: LlamaModel;
  readonly #free: NativeSampler[] = [];

  constructor(model: LlamaModel) {
    this.#model = model;
  }

  /** A sampler that behaves like a new one. */
  take(config: NativeSamplerConfig): NativeSampler {
    const sampler = this.#free.pop() ?? createNativeSampler(this.#model);
    // The sampler starts its random numbers again only when its seed changes, so it first gets another one.
    sampler.applyConfig({ ...config, seed: (config.seed ^ 1) >>> 0 });
    sampler.applyConfig(config);
    return sampler;
  }

  /** As `createGrammarState`, for the pool's model. */
  beginGrammar(gbnf: string, begun: Uint32Array): GrammarState | undefined {
    return createGrammarState(this.#model, gbnf, begun);
  }

  /** Takes a sampler back, which its borrower must not use any more. */
  giveBack(sampler: NativeSampler): void {
    this.#free.push(sampler);
  }

  /** Frees the samplers that are not lent. */
  dispose(): void {
    for (const sampler of this.#free.splice(0)) sampler.dispose();
  }
}
