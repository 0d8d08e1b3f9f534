import { tileTokens } from './tiles.ts';

/** With fewer prompt tokens per step a long prompt would take too long while others decode. */
const leastChunkTokens = 32;
/** Until the first measurement. */
const firstChunkTokens = 128;
/** Longest step of prompts. A cancelled request frees its slot only after the step. */
const prefillStepMs = 1000;
/** Longest pause of a stream between two tokens, as a share of the time until all prompts are computed. */
const pauseShare = 1 / 12;
/** Longest pause of a stream, as a multiple of the target gap. */
const mostTargets = 4;
/** Time until a prompt is due, as a multiple of the time that computing it takes. */
const patience = 2;
/** Keeps a measurement of 0 ms from becoming a division by zero. */
const leastTokenMs = 0.001;
/** Weight of the newest measurement in the mean of steps that decode. */
const learningRate = 0.3;
/** A step of 128 prompt tokens counts as much as all before it. A larger one counts more, a small one little. */
const tellingTokens = 128;

/** Those who wait for prompts, and those who wait because of them. */
export interface PromptDemand {
  /** How many have a prompt to be computed. */
  readonly prompts: number;
  /** How many decode. */
  readonly streams: number;
  /** How long the stream that has waited longest has had no token. */
  readonly pausedMs: number;
  /** How long ago the oldest of the prompts was sent. */
  readonly waitedMs: number;
  /** Tokens of all prompts that are still to be computed. */
  readonly tokens: number;
  /** Some are to be computed now, however long it takes. */
  readonly isDue: boolean;
}

/**
 * Decides when prompts are computed beside streams and how much of them, so that pauses in streams stay short and first
 * words come soon. It learns the costs of both from the steps that it is told of.
 */
export class PrefillPacer {
  readonly #targetGapMs: number;
  readonly #batchTokens: number;
  #decodeStepMs: number | undefined;
  #promptTokenMs: number | undefined;

  constructor(targetGapMs: number, batchTokens: number) {
    this.#targetGapMs = targetGapMs;
    this.#batchTokens = batchTokens;
  }

  /** The time of a prompt token in the last steps; undefined until there was one. */
  get promptTokenMs(): number | undefined {
    return this.#promptTokenMs;
  }

  /** Prompt tokens to compute in the next step; 0: that is for those who decode. */
  promptTokens(demand: PromptDemand): number {
    if (demand.streams === 0) return this.chunkTokens(prefillStepMs);
    const budgetMs = this.pauseMs(demand) - demand.pausedMs - (this.#decodeStepMs ?? 0);
    return demand.isDue || budgetMs >= this.#costMs(tileTokens) ? this.chunkTokens(budgetMs) : 0;
  }

  /**
   * Prompts are computed in the order of this time: short ones before long ones that were sent at the same time, and a
   * long one before all that are sent much later. `tokens`: the number still to be computed of it.
   */
  dueMs(sentAtMs: number, tokens: number): number {
    return sentAtMs + patience * this.#costMs(tokens);
  }

  /**
   * How long streams may pause between two tokens. The longer people wait for first words, the less a pause within an
   * answer matters; so too where several prompts wait beside few streams: if they are computed together they decode
   * together from then on, which takes little longer than to decode one of them.
   */
  pauseMs({ prompts, streams, waitedMs, tokens }: PromptDemand): number {
    const expectedMs = waitedMs + this.#costMs(tokens);
    const target = this.#targetGapMs;
    const wantedMs = Math.max(target, expectedMs * pauseShare, (2 * target * (prompts - 1)) / streams);
    return Math.min(mostTargets * target, wantedMs);
  }

  /** How many prompt tokens to compute where that should take no longer than `budgetMs`; always a few. */
  chunkTokens(budgetMs = this.#targetGapMs): number {
    if (this.#promptTokenMs === undefined) return Math.min(this.#batchTokens, firstChunkTokens);
    const affordable = Math.floor(
      Math.min(budgetMs, prefillStepMs) / Math.max(this.#promptTokenMs, leastTokenMs),
    );
    return Math.min(this.#batchTokens, Math.max(leastChunkTokens, affordable));
  }

  /** The time that computing `promptTokens` tokens takes, as far as that is known. */
  expectedMs(promptTokens: number): number {
    return this.#promptTokenMs === undefined ? this.#targetGapMs / 2 : this.#costMs(promptTokens);
  }

  /** Learns from a step that computed `promptTokens` tokens of prompts; 0: from a step that only decoded. */
  observe(promptTokens: number, elapsedMs: number): void {
    if (promptTokens === 0) {
      this.#decodeStepMs = blend(this.#decodeStepMs, elapsedMs, learningRate);
    } else if (promptTokens >= leastChunkTokens) {
      const weight = promptTokens / (promptTokens + tellingTokens);
      this.#promptTokenMs = blend(this.#promptTokenMs, elapsedMs / promptTokens, weight);
    }
  }

  #costMs(promptTokens: number): number {
    return promptTokens * (this.#promptTokenMs ?? 0);
  }
}

const blend = (mean: number | undefined, value: number, weight: number) =>
  mean === undefined ? value : mean + weight * (value - mean);
