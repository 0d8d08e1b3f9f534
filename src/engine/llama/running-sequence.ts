import { performance } from 'node:perf_hooks';
import type { GenerationChannel } from '../generation-channel.ts';
import { GeneratedText } from '../prompt/generated-text.ts';
import type { FinishReason, GenerationEnd, SamplingOptions, Usage } from '../types.ts';
import type { SampledToken, TokenSampler } from './token-sampler.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A request made ready for the step loop: its prompt in tokens, its limits resolved. */
export interface SequenceRequest {
  readonly accountId: string;
  readonly keyId: string;
  /** At least one token, and fewer than the context holds. */
  readonly prompt: Uint32Array;
  readonly sampling: SamplingOptions;
  readonly stop: readonly string[];
  /** At least 1; prompt and completion together fit into the context. */
  readonly maxTokens: number;
  readonly minTokens: number;
  readonly ignoreEos: boolean;
  readonly topLogprobs: number | undefined;
}

/** One request while it holds a slot. */
export class RunningSequence {
  readonly request: SequenceRequest;
  readonly channel: GenerationChannel;
  readonly sampler: TokenSampler;
  /** Grows with admission: prompts are computed in this order. */
  readonly order: number;
  readonly admittedAtMs = performance.now();
  /** False until its cached prefix is settled and its own prefill may begin; true from then on. */
  prefilling = false;
  cachedTokens = 0;
  /** Drawn, but not computed yet; undefined during prefill. */
  nextToken: number | undefined;
  #completionTokens = 0;
  readonly #text: GeneratedText;

  constructor(request: SequenceRequest, channel: GenerationChannel, sampler: TokenSampler, order: number) {
    this.request = request;
    this.channel = channel;
    this.sampler = sampler;
    this.order = order;
    this.#text = new GeneratedText(request.stop);
  }

  /** Takes one drawn token, shows what it adds, and tells whether it was the last. */
  accept({ token, logprob }: SampledToken, vocabulary: Vocabulary): FinishReason | undefined {
    if (this.#completionTokens === 0) this.channel.start(this.request.prompt.length, this.cachedTokens);
    this.#completionTokens++;
    const ended = vocabulary.endOfGeneration.has(token);
    if (!ended) {
      const honourStop = this.#completionTokens > this.request.minTokens;
      const piece = this.#text.push(vocabulary.bytesOf(token), logprob, honourStop);
      this.channel.push(piece.text, piece.logprobs);
      if (piece.stopped) return 'stop';
      this.nextToken = token;
      if (this.#completionTokens < this.request.maxTokens) return undefined;
    }
    const rest = this.#text.finish();
    this.channel.push(rest.text, rest.logprobs);
    return ended ? 'stop' : 'length';
  }

  /** What was computed so far; `computedTokens` is how much of prompt and completion the cache holds. */
  usage(computedTokens: number): Usage {
    const prompt = this.request.prompt.length;
    // Before its prefill the slot holds no more than what an earlier request left there.
    const prefilled = this.prefilling ? Math.min(prompt, computedTokens) : 0;
    const promptTokens = this.#completionTokens > 0 ? prompt : prefilled;
    return {
      promptTokens,
      cachedTokens: Math.min(promptTokens, this.cachedTokens),
      completionTokens: this.#completionTokens,
      reasoningTokens: 0,
    };
  }

  end(end: GenerationEnd): void {
    try {
      this.sampler.dispose();
    } finally {
      this.channel.end(end);
    }
  }
}
