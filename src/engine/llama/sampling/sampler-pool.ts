import type { LlamaModel } from 'node-llama-cpp';
import {
  createGrammarState,
  createNativeSampler,
  type GrammarState,
  type NativeSampler,
  type NativeSamplerConfig,
} from '../native/sampler.ts';

/**
 * Lends native samplers. Each holds a dozen bytes per token of the vocabulary, which its `dispose` does not free
 * and only a full garbage collection does: made anew for every request they would pile up by the gigabyte.
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
    // Its random numbers start again only when the seed changes.
    sampler.applyConfig({ ...config, seed: (config.seed ^ 1) >>> 0 });
    sampler.applyConfig(config);
    return sampler;
  }

  /** As `createGrammarState`, for the pool's model. */
  beginGrammar(gbnf: string, begun: Uint32Array): GrammarState | undefined {
    return createGrammarState(this.#model, gbnf, begun);
  }

  /** Nobody may use the sampler any more. */
  giveBack(sampler: NativeSampler): void {
    this.#free.push(sampler);
  }

  /** Frees the samplers that are not lent. */
  dispose(): void {
    for (const sampler of this.#free.splice(0)) sampler.dispose();
  }
}
