import { performance } from 'node:perf_hooks';
import type { GenerationChannel } from '../generation-channel.ts';
import { constrainedFrom } from '../prompt/answer-constraint.ts';
import { GeneratedTurn } from '../prompt/generated-turn.ts';
import type { FinishReason, GenerationEnd, SamplingOptions, Usage } from '../types.ts';
import type { SampledToken, TokenSampler } from './token-sampler.ts';
import type { TurnPlan } from './turn-plan.ts';
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
  /** Undefined: all that the model writes is plain text. */
  readonly turn?: PreparedTurn | undefined;
}

/** A plan for the model's turn with its texts in tokens. */
export interface PreparedTurn {
  readonly plan: TurnPlan;
  /** Control tokens that the plan's reader must see. */
  readonly shownTokens: ReadonlySet<number>;
  /** `plan.closingText`. */
  readonly closingTokens: Uint32Array;
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
  nextTokens: Uint32Array | undefined;
  /** When its first token was drawn, on the clock of `performance.now()`. */
  firstTokenAtMs: number | undefined;
  #completionTokens = 0;
  #reasoningTokens = 0;
  #constrained = false;
  readonly #text: GeneratedTurn;

  constructor(request: SequenceRequest, channel: GenerationChannel, sampler: TokenSampler, order: number) {
    this.request = request;
    this.channel = channel;
    this.sampler = sampler;
    this.order = order;
    this.#text = new GeneratedTurn(request.turn?.plan.reader, request.stop);
  }

  /** Takes one drawn token, shows what it adds, and tells whether it was the last. */
  accept({ token, logprob }: SampledToken, vocabulary: Vocabulary): FinishReason | undefined {
    if (this.#completionTokens === 0) {
      this.channel.start(this.request.prompt.length, this.cachedTokens);
      this.firstTokenAtMs = performance.now();
    }
    const ended = vocabulary.endOfGeneration.has(token);
    const stopped = this.#show(token, ended, logprob, vocabulary);
    if (stopped) return 'stop';
    const closing = this.#closeThought(ended, vocabulary);
    if (!ended || closing.length > 0) {
      this.nextTokens = ended ? closing : Uint32Array.of(token, ...closing);
      if (this.#completionTokens < this.request.maxTokens) {
        this.constrain(vocabulary);
        return undefined;
      }
    }
    for (const event of this.#text.finish().events) this.channel.emit(event);
    if (!ended || closing.length > 0) return 'length';
    return (this.#text.reader?.callCount ?? 0) > 0 ? 'tool_calls' : 'stop';
  }

  /** Its first token is drawn and nothing of its answer computed yet. */
  get isFresh(): boolean {
    return this.#completionTokens === 1;
  }

  /** Has the sampler follow the plan's grammar as soon as it applies; to be called before each draw. */
  constrain(vocabulary: Vocabulary): void {
    const constraint = this.request.turn?.plan.constraint;
    const { reader } = this.#text;
    if (constraint === undefined || reader === undefined || this.#constrained) return;
    const begun = constrainedFrom(constraint, reader);
    if (begun === undefined) return;
    this.#constrained = true;
    this.sampler.constrain(
      constraint.gbnf,
      vocabulary.tokenizeGenerated(begun),
      this.request.turn?.shownTokens,
    );
  }

  get #inThought(): boolean {
    return this.#text.reader?.inThought ?? false;
  }

  /** True when a stop sequence ended the text. */
  #show(token: number, ended: boolean, logprob: SampledToken['logprob'], vocabulary: Vocabulary): boolean {
    const wasInThought = this.#inThought;
    this.#completionTokens++;
    const shown = this.request.turn?.shownTokens.has(token) === true;
    if (ended && !shown) return false;
    const bytes = shown ? vocabulary.controlBytesOf(token) : vocabulary.bytesOf(token);
    const honourStop = this.#completionTokens > this.request.minTokens;
    const piece = this.#text.push(bytes, logprob, honourStop);
    for (const event of piece.events) this.channel.emit(event);
    if (wasInThought || this.#inThought) this.#reasoningTokens++;
    return piece.stopped;
  }

  /** Tokens that end a thought which is too long, or in which the model ended its turn; shown already. */
  #closeThought(ended: boolean, vocabulary: Vocabulary): Uint32Array {
    const none = new Uint32Array();
    const { turn, maxTokens } = this.request;
    if (turn === undefined || !this.#inThought) return none;
    const mostTokens = turn.plan.mostThoughtTokens ?? Number.POSITIVE_INFINITY;
    if (!ended && this.#reasoningTokens < mostTokens) return none;
    if (this.#completionTokens + turn.closingTokens.length >= maxTokens) return none;
    this.#text.dropPartialCharacter();
    for (const token of turn.closingTokens) this.#show(token, false, undefined, vocabulary);
    return turn.closingTokens;
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
      reasoningTokens: this.#reasoningTokens,
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
