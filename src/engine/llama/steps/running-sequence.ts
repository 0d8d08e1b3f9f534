import { performance } from 'node:perf_hooks';
import type { GenerationTimes } from '../../observer.ts';
import type { GenerationChannel } from '../../generation-channel.ts';
import { constrainedFrom } from '../../prompt/answer-constraint.ts';
import { GeneratedTurn } from '../../prompt/generated-turn.ts';
import type { RequestBatch } from '../../queue/request-batch.ts';
import type {
  EchoedPrompt,
  FinishReason,
  GenerationEnd,
  PromptTokenLogprob,
  SamplingOptions,
  Usage,
} from '../../types.ts';
import type { NativeContext } from '../native/context.ts';
import { describeToken } from '../tokens/token-judge.ts';
import type { SampledToken, TokenSampler } from '../sampling/token-sampler.ts';
import type { TurnPlan } from '../../prompt/turn-plan.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';

/** A request made ready for the step loop: its prompt in tokens, its limits resolved. */
export interface SequenceRequest {
  readonly accountId: string;
  readonly keyId: string;
  readonly batch?: RequestBatch | undefined;
  /** At least one token, and fewer than the context holds. */
  readonly prompt: Uint32Array;
  readonly sampling: SamplingOptions;
  readonly stop: readonly string[];
  /** The prompt as text, where it is to be repeated. */
  readonly echo?: string | undefined;
  /** 0: the prompt is only computed. Prompt and completion together fit into the context. */
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
  /** How long it waited for its slot. */
  waitMs = 0;
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
  readonly #promptLogprobs: PromptTokenLogprob[] = [];
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
      this.channel.start(this.request.prompt.length, this.cachedTokens, this.#echo(vocabulary));
      this.firstTokenAtMs = performance.now();
    }
    if (this.request.maxTokens === 0) return 'length';
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

  /** Its prompt's tokens are to be judged as they are computed: all of them, none may come from a cache. */
  get isScored(): boolean {
    const { echo, topLogprobs } = this.request;
    return echo !== undefined && topLogprobs !== undefined && this.nextTokens === undefined;
  }

  /**
   * Judges the prompt's tokens that follow `position`, each by the logits before it.
   * Throws AppError model_broken when those are no numbers.
   */
  async scorePrompt(context: NativeContext, logitIndexes: Uint32Array, position: number): Promise<void> {
    const tokens = this.request.prompt.subarray(position + 1, position + 1 + logitIndexes.length);
    this.#promptLogprobs.push(...(await this.sampler.logprobsOf(context, logitIndexes, tokens)));
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

  #echo(vocabulary: Vocabulary): EchoedPrompt | undefined {
    const { echo, prompt, topLogprobs } = this.request;
    if (echo === undefined || topLogprobs === undefined)
      return echo === undefined ? undefined : { text: echo };
    const first = { ...describeToken(vocabulary, prompt[0] ?? 0), logprob: null, topLogprobs: [] };
    return { text: echo, logprobs: [first, ...this.#promptLogprobs] };
  }

  get #inThought(): boolean {
    return this.#text.reader?.inThought ?? false;
  }

  /** True when a stop sequence ended the text. */
  #show(token: number, ended: boolean, logprob: SampledToken['logprob'], vocabulary: Vocabulary): boolean {
    const wasInThought = this.#inThought;
    this.#completionTokens++;
    const shown = this.request.turn?.shownTokens.has(token) === true;
    // The end of a turn is no end of a thought: the thought is then closed as one that is too long.
    if (ended && (!shown || wasInThought)) return false;
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

  /** How long it took, were it to end at `nowMs` of `performance.now()`. */
  timesAt(nowMs: number): GenerationTimes {
    const gaps = this.#completionTokens - 1;
    const gapMs = gaps > 0 ? (nowMs - (this.firstTokenAtMs ?? nowMs)) / gaps : undefined;
    return { waitMs: this.waitMs, gapMs };
  }

  end(end: GenerationEnd): void {
    try {
      this.sampler.dispose();
    } finally {
      this.channel.end(end);
    }
  }
}
