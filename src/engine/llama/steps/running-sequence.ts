import { performance } from 'node:perf_hooks';
import type { GenerationChannel } from '../../generation/generation-channel.ts';
import type { GenerationTimes } from '../../observer.ts';
import type {
  EchoedPrompt,
  FinishReason,
  GenerationEnd,
  PredictionUsage,
  PromptTokenLogprob,
  Usage,
} from '../../generation/generation.ts';
import type { SequenceDrafts } from '../drafts/sequence-drafts.ts';
import type { PreparedRequest } from '../prepared-request.ts';
import { describeToken } from '../sampling/logprobs.ts';
import type { SampledToken, TokenSampler } from '../sampling/token-sampler.ts';
import type { SavedConversation } from '../slots/checkpoints.ts';
import { checkpointPlaces } from '../slots/checkpoint-places.ts';
import type { Vocabulary } from '../tokens/vocabulary.ts';
import { AnswerWriter } from './answer-writer.ts';
import { stateAfter, type SequenceEvent, type SequenceState } from './sequence-state.ts';

const noTokens = new Uint32Array();
/** Between two events of a prompt's progress, save for the first and the last. */
const progressEveryMs = 250;

export interface RunningSequenceOptions {
  readonly prepared: PreparedRequest;
  readonly channel: GenerationChannel;
  readonly sampler: TokenSampler;
  /** Undefined: it is written token by token. */
  readonly drafts?: SequenceDrafts | undefined;
  readonly vocabulary: Vocabulary;
  /** On the clock of `performance.now()`. */
  readonly submittedAtMs: number;
}

/** One request while it holds a slot. */
export class RunningSequence {
  readonly prepared: PreparedRequest;
  readonly channel: GenerationChannel;
  readonly sampler: TokenSampler;
  readonly submittedAtMs: number;
  readonly admittedAtMs = performance.now();
  /** How long it waited for its slot. */
  readonly waitMs: number;
  /** Guesses its next tokens; undefined: it is written token by token. */
  readonly drafts: SequenceDrafts | undefined;
  #state: SequenceState;
  #cachedTokens = 0;
  #progressAtMs = 0;
  #firstTokenAtMs: number | undefined;
  #lastTokenAtMs: number | undefined;
  readonly #vocabulary: Vocabulary;
  readonly #answer: AnswerWriter;
  #promptLogprobs: PromptTokenLogprob[] = [];
  #isConstrained = false;
  /** The part of the answer that its grammar describes already, until the sampler is bound to that grammar. */
  #begun: string | undefined;

  constructor({ prepared, channel, sampler, drafts, vocabulary, submittedAtMs }: RunningSequenceOptions) {
    this.prepared = prepared;
    this.#state = { name: 'waiting', tokens: prepared.promptTokens, isResumed: false, places: undefined };
    this.channel = channel;
    this.sampler = sampler;
    this.drafts = drafts;
    this.submittedAtMs = submittedAtMs;
    this.waitMs = this.admittedAtMs - submittedAtMs;
    this.#vocabulary = vocabulary;
    this.#answer = new AnswerWriter(prepared, channel, vocabulary);
  }

  get state(): SequenceState {
    return this.#state;
  }

  /** The tokens that its slot must hold before the next one is drawn; none once that is the case. */
  get tokens(): Uint32Array {
    return 'tokens' in this.#state ? this.#state.tokens : noTokens;
  }

  /** Drawn, but not computed yet; undefined where it does not decode. */
  get nextTokens(): Uint32Array | undefined {
    return this.#state.name === 'decoding' ? this.#state.nextTokens : undefined;
  }

  /** Where in its prompt checkpoints are saved, in ascending order; undefined: it needs none. */
  get places(): readonly number[] | undefined {
    return 'places' in this.#state ? this.#state.places : undefined;
  }

  /** When its last token was drawn, on the clock of `performance.now()`; undefined: none was. */
  get lastTokenAtMs(): number | undefined {
    return this.#lastTokenAtMs;
  }

  /** Tells it an event. Throws where that cannot happen in its state. */
  tell(event: SequenceEvent): void {
    this.#state = stateAfter(this.#state, event);
  }

  /**
   * Sends the text that the drawn tokens add, one after the other. `finishReason`: why the answer ends; undefined: it
   * goes on. `accepted`: how many of the tokens belong to it. The others are drawn again where they were drawn too
   * early: a token before them ends the answer, closes its thought, or is where its grammar begins to apply.
   */
  accept(sampled: readonly SampledToken[]): { finishReason: FinishReason | undefined; accepted: number } {
    let accepted = 0;
    for (const one of sampled) {
      const finishReason = this.#acceptOne(one);
      accepted++;
      if (finishReason !== undefined) return { finishReason, accepted };
      if (!this.goesOnBy(one.token)) break;
    }
    if (accepted < sampled.length) this.sampler.takeBack(sampled.length - accepted);
    const before = sampled.slice(0, accepted - 1).map(({ token }) => token);
    this.drafts?.observe(Uint32Array.of(...before, ...(this.nextTokens ?? noTokens)));
    return { finishReason: undefined, accepted };
  }

  #acceptOne({ token, logprob }: SampledToken): FinishReason | undefined {
    const { promptTokens, maxTokens, ignored = [] } = this.prepared;
    const answer = this.#answer;
    this.#lastTokenAtMs = performance.now();
    if (answer.completionTokens === 0) {
      const prompt = this.#echo();
      this.channel.start(promptTokens.length, this.#cachedTokens, {
        ...(prompt && { prompt }),
        ...(ignored.length > 0 && { ignored }),
      });
      this.#firstTokenAtMs = this.#lastTokenAtMs;
    }
    if (maxTokens === 0) return 'length';
    const ended = this.#vocabulary.endOfGeneration.has(token);
    if (answer.write(token, ended, logprob)) return 'stop';
    const closing = answer.closeThought(ended);
    const goesOn = !ended || closing.length > 0;
    if (goesOn) {
      this.tell({ name: 'drawn', nextTokens: ended ? closing : Uint32Array.of(token, ...closing) });
      if (answer.completionTokens < maxTokens) {
        this.#lookForConstraint();
        return undefined;
      }
    }
    answer.finish();
    if (goesOn) return 'length';
    return (answer.reader?.callCount ?? 0) > 0 ? 'tool_calls' : 'stop';
  }

  /** The next token may be drawn as if `token` alone had come: nothing follows it, and no grammar begins to apply. */
  goesOnBy(token: number): boolean {
    return this.nextTokens?.length === 1 && this.nextTokens[0] === token && !this.isConstraintDue;
  }

  /** Tokens that may be drawn in steps that follow each other by themselves. */
  get tokensAlone(): number {
    const isFree = !this.#isConstrained && this.prepared.request.isBackground !== true;
    return isFree && this.nextTokens?.length === 1
      ? 1 + Math.min(this.tokensLeft, this.sampler.mostDrafted)
      : 1;
  }

  /** Tokens that its answer may still get, besides the next one. */
  get tokensLeft(): number {
    return this.prepared.maxTokens - this.#answer.completionTokens - 1;
  }

  /** The stop sequence that ended the answer. */
  get stopSequence(): string | undefined {
    return this.#answer.stopSequence;
  }

  /** The probabilities of its prompt's tokens are wanted, so all of them are computed and none is taken from a cache. */
  get isScored(): boolean {
    const { echoText, request } = this.prepared;
    return echoText !== undefined && request.topLogprobs !== undefined && this.#isPrompt;
  }

  /**
   * Computes the log-probabilities of the prompt's tokens that follow `position`, each by the logits before it.
   * Throws AppError model_broken when those are not numbers.
   */
  async scorePrompt(logitIndexes: Uint32Array, position: number): Promise<void> {
    const tokens = this.prepared.promptTokens.subarray(position + 1, position + 1 + logitIndexes.length);
    this.#promptLogprobs.push(...(await this.sampler.logprobsOf(logitIndexes, tokens)));
  }

  /** None of its tokens was drawn yet. */
  get #isPrompt(): boolean {
    return this.nextTokens === undefined && this.#answer.completionTokens === 0;
  }

  /** It may leave its slot and go on later, from its tokens there; pictures and recordings could not be told again. */
  get givesWay(): boolean {
    const { request, media } = this.prepared;
    return request.isBackground === true && this.#state.name !== 'drawing' && media.size === 0;
  }

  /** The cells that its slot, which holds `computed` tokens, has to have for the next step. */
  cellsNeeded(computed: number): number {
    return Math.max(computed + (this.nextTokens?.length ?? 0), this.tokens.length);
  }

  /** It leaves its slot, which holds `computed`; `saved`: a copy of that, so that it need not be computed again. */
  giveWay(computed: Uint32Array, saved?: SavedConversation): void {
    this.tell({ name: 'left', computed, saved });
    this.#promptLogprobs = [];
  }

  /** Its slot holds the first `cached` of its tokens. With `savesCheckpoints` these are planned for the rest of its prompt. */
  settlePrefix(cached: number, savesCheckpoints: boolean): void {
    // Tokens that it computed itself before it gave way do not count as cached.
    if (this.#state.name === 'waiting' && !this.#state.isResumed) this.#cachedTokens = cached;
    this.tell({
      name: 'prefixSettled',
      places: savesCheckpoints ? this.#planCheckpoints(cached) : undefined,
    });
    this.tellProgress(cached);
  }

  /** Tells how far its prompt is, of which its slot holds `processedTokens`, where the request asks for that. */
  tellProgress(processedTokens: number): void {
    const { request, promptTokens, ignored = [] } = this.prepared;
    const nowMs = performance.now();
    const isDue = nowMs - this.#progressAtMs >= progressEveryMs || processedTokens === promptTokens.length;
    if (request.tellsProgress !== true || !this.#isPrompt || !isDue) return;
    this.#progressAtMs = nowMs;
    this.channel.emit({
      type: 'progress',
      promptTokens: promptTokens.length,
      cachedTokens: this.#cachedTokens,
      processedTokens,
      elapsedMs: nowMs - this.admittedAtMs,
      ...(ignored.length > 0 && { ignored }),
    });
  }

  #planCheckpoints(begin: number): readonly number[] {
    const { promptTokens } = this.prepared;
    const { controlTokenIds } = this.#vocabulary;
    const borders: number[] = [];
    for (const [at, token] of promptTokens.entries()) if (controlTokenIds.has(token)) borders.push(at);
    return checkpointPlaces(promptTokens.length, borders, begin);
  }

  /** Its grammar applies to the next token, and its sampler does not know yet. */
  get isConstraintDue(): boolean {
    return this.#begun !== undefined;
  }

  /** Binds the sampler to the plan's grammar as soon as that applies; to be called between steps, before each draw. */
  constrain(): void {
    const { turn } = this.prepared;
    this.#lookForConstraint();
    const begun = this.#begun;
    if (turn?.constraint === undefined || begun === undefined) return;
    this.#begun = undefined;
    this.#isConstrained = true;
    this.sampler.constrain(turn.constraint.gbnf, this.#vocabulary.tokenizeGenerated(begun), turn.shownTokens);
  }

  #lookForConstraint(): void {
    const { constraint } = this.prepared.turn ?? {};
    const { reader } = this.#answer;
    if (constraint === undefined || reader === undefined || this.#isConstrained) return;
    this.#begun = reader.constrainedText(constraint.begins);
  }

  /** The usage so far; `computedTokens`: tokens of prompt and completion that the cache holds. */
  usage(computedTokens: number): Usage {
    const { completionTokens, reasoningTokens } = this.#answer;
    const prompt = this.prepared.promptTokens.length;
    // Before its prefill the slot holds no more than an earlier request left there.
    const prefilled = this.#hasPrefilled ? Math.min(prompt, computedTokens) : 0;
    const promptTokens = completionTokens > 0 ? prompt : prefilled;
    const cachedTokens = Math.min(promptTokens, this.#cachedTokens);
    const prediction = this.prepared.prediction && this.#predictionUsage();
    return {
      promptTokens,
      cachedTokens,
      completionTokens,
      reasoningTokens,
      ...(prediction && { prediction }),
    };
  }

  /** It has a slot in which some of its prompt was computed. */
  get #hasPrefilled(): boolean {
    const { name } = this.#state;
    return name === 'prefilling' || name === 'decoding' || name === 'drawing';
  }

  /** How long it has taken at `nowMs` of `performance.now()`. */
  timesAt(nowMs: number): GenerationTimes {
    const gaps = this.#answer.completionTokens - 1;
    const gapMs = gaps > 0 ? (nowMs - (this.#firstTokenAtMs ?? nowMs)) / gaps : undefined;
    return { waitMs: this.waitMs, gapMs, drafts: this.drafts?.counts ?? [] };
  }

  end(end: GenerationEnd): void {
    this.tell({ name: 'ended' });
    this.channel.end(end);
  }

  #predictionUsage(): PredictionUsage {
    const { drafted = 0, accepted = 0 } =
      this.drafts?.counts.find(({ drafter }) => drafter === 'prediction') ?? {};
    return { acceptedTokens: accepted, rejectedTokens: drafted - accepted };
  }

  #echo(): EchoedPrompt | undefined {
    const { echoText: text, promptTokens, request } = this.prepared;
    if (text === undefined) return undefined;
    if (request.topLogprobs === undefined) return { text };
    const first = describeToken(this.#vocabulary, promptTokens[0] ?? 0);
    return { text, logprobs: [{ ...first, logprob: null, topLogprobs: [] }, ...this.#promptLogprobs] };
  }
}
