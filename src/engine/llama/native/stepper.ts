/**
 * The one place that touches the addon in stepper/, which decodes a batch and draws the next tokens in one job of a
 * thread of its own. Without it models are served as ../plain has it.
 */
import { createRequire } from 'node:module';
import { doesNotLoad, findAddon, notBuilt } from '../../addons/addon.ts';
import type { SamplingOptions } from '../../generation/sampling-options.ts';
import type { ContextAddon } from './context-addon.ts';
import type { MediaAddon, StepperHandle } from './media-addon.ts';
import { stepperAddon } from './builds/stepper-addon.ts';
import { messageOf } from '../../../words/describe-error.ts';

type SamplerHandle = { readonly sampler: unique symbol };

/** In place of a token: the model computed no numbers. */
export const noNumbers = -1;
/** In place of a token: the grammar takes too long to ask. */
export const takesTooLong = -2;
/** In place of a token: the grammar allows none. */
export const nothingAllowed = -3;

/**
 * A token to be drawn by the logits at `logitIndex` of the batch, and more of them as long as `draft` has the one that is
 * drawn: it follows in the batch, with logits after each of its tokens.
 */
export interface StepDraw {
  readonly logitIndex: number;
  readonly sampler: SamplerHandle;
  /** Log-probabilities that are wanted besides the token's own; -1: not even that. */
  readonly alternatives: number;
  readonly draft?: Uint32Array;
}

/** Steps that a context computes by itself after one that was asked for, each of the tokens that the last one drew. */
export interface Run {
  /** At most, the first one included. */
  readonly steps: number;
  /** Hears the draws of each step but the last, and how long that step took. */
  readonly onStep: (drawn: readonly Float64Array[], elapsedMs: number) => void;
}

const oneStep: Run = { steps: 1, onStep: () => undefined };

type StepSampling = SamplingOptions & { readonly seed: number };

interface StepperAddon extends MediaAddon, ContextAddon {
  createSampler(sampling: StepSampling, seen: Uint32Array): SamplerHandle;
  setBiases(sampler: SamplerHandle, tokens: Uint32Array, biases: Float32Array): void;
  takeBack(sampler: SamplerHandle, count: number): void;
  ahead(sampler: SamplerHandle): Uint8Array;
  constrain(stepper: StepperHandle, sampler: SamplerHandle, gbnf: string, begun: Uint32Array): boolean;
  /** `parts`: four numbers for each part of the batch, its sequence, position, tokens and first output. */
  run(
    stepper: StepperHandle,
    tokens: Uint32Array,
    parts: Int32Array,
    draws: readonly StepDraw[],
    mostSteps: number,
    onStep: Run['onStep'],
  ): Promise<Float64Array[]>;
  hold(stepper: StepperHandle): void;
  finishDraw(stepper: StepperHandle, draw: StepDraw): Promise<Float64Array>;
  logprobs(
    stepper: StepperHandle,
    logitIndexes: Uint32Array,
    tokens: Uint32Array,
    alternatives: number,
  ): Promise<Float64Array[]>;
  /** Gives up the work under way, and returns when there is none any more. No promise is settled after it. */
  stop(): void;
}

/** Draws one request's tokens within the steps of its context. */
export type StepSampler = ReturnType<Stepper['createSampler']>;

/** One context of the addon. It takes one call at a time. */
export class Stepper {
  readonly #addon: StepperAddon;
  readonly handle: StepperHandle;

  constructor(addon: StepperAddon, handle: StepperHandle) {
    this.#addon = addon;
    this.handle = handle;
  }

  /**
   * Decodes a batch, then draws. `tokens` and `parts` are as the addon takes them. For each draw: the token, or a
   * negative number where none was drawn; then its log-probabilities, where `logprobs` are wanted; then the same of the
   * following tokens. Rejects when the batch cannot be decoded. With `run` it goes on by itself until a draw makes no
   * token or one that ends an answer, another call waits, `hold` is called, or JavaScript has not heard of some steps
   * yet.
   */
  step(
    tokens: Uint32Array,
    parts: Int32Array,
    draws: readonly StepDraw[],
    run = oneStep,
  ): Promise<Float64Array[]> {
    return this.#addon.run(this.handle, tokens, parts, draws, run.steps, run.onStep);
  }

  /** Ends the run after the step that is being computed. */
  hold(): void {
    this.#addon.hold(this.handle);
  }

  /**
   * Makes a draw that took too long for its step, and tells the same as the step would have, or after two seconds
   * `takesTooLong` again. Takes nothing of the context: other steps may go on meanwhile, but not with this sampler.
   */
  finishDraw(draw: StepDraw): Promise<Float64Array> {
    return this.#addon.finishDraw(this.handle, draw);
  }

  /**
   * For each token, by the logits at its index of the batch that was decoded last: its log-probability, and then the
   * number and the log-probability of each of the `alternatives` likeliest tokens. NaN where the model computed none.
   */
  logprobs(logitIndexes: Uint32Array, tokens: Uint32Array, alternatives: number): Promise<Float64Array[]> {
    return this.#addon.logprobs(this.handle, logitIndexes, tokens, alternatives);
  }

  /** `seen`: the tokens that penalties count, besides those that it draws. */
  createSampler(sampling: StepSampling, seen: Uint32Array) {
    const addon = this.#addon;
    const { handle: stepper } = this;
    const handle = addon.createSampler(sampling, seen);
    return {
      handle,
      /** Added to the logits of tokens; replaces the biases that were set before. */
      setBiases(biases: ReadonlyMap<number, number>): void {
        addon.setBiases(handle, Uint32Array.from(biases.keys()), Float32Array.from(biases.values()));
      },
      /** Goes back to the position before the last `count` tokens of the last step. No grammar may have been asked. */
      takeBack: (count: number): void => addon.takeBack(handle, count),
      /** The bytes that the grammar leaves no choice but to write next; empty: there is a choice. Takes 2 ms at most. */
      ahead: (): Uint8Array => addon.ahead(handle),
      /**
       * From now on draws only tokens that the grammar allows, `begun` accepted already. False: that does not fit the
       * grammar, so that all is left open. Throws when llama.cpp cannot parse it.
       */
      constrain: (gbnf: string, begun: Uint32Array): boolean => addon.constrain(stepper, handle, gbnf, begun),
    };
  }
}

let loaded: { readonly addon?: StepperAddon; readonly trouble?: string } | undefined;

/** Why the addon is not used in this process; undefined: it is. */
export function stepperTrouble(): string | undefined {
  return load().trouble;
}

function load() {
  return (loaded ??= tryToLoad());
}

function tryToLoad(): { readonly addon?: StepperAddon; readonly trouble?: string } {
  // For tests: `off`, or the file of another build.
  const chosen = process.env['HEARTH_STEPPER'];
  if (chosen === 'off') return { trouble: 'turned off by HEARTH_STEPPER' };
  try {
    const file = chosen || findAddon(stepperAddon);
    if (file === undefined) return { trouble: notBuilt };
    const addon = createRequire(import.meta.url)(file) as StepperAddon;
    // While a process ends, llama.cpp's own data goes away under a step that is still being computed.
    process.once('exit', () => addon.stop());
    return { addon };
  } catch (error) {
    return { trouble: doesNotLoad(messageOf(error)) };
  }
}

/** The addon's functions for media; undefined: see `stepperTrouble`. */
export function mediaAddon(): MediaAddon | undefined {
  return load().addon;
}

/** The addon's functions for contexts; undefined: see `stepperTrouble`. */
export function contextAddon(): ContextAddon | undefined {
  return load().addon;
}

/** Opens a context. Throws as `ContextAddon.open`, and where the addon is not used in this process. */
export async function openStepper(...[file, model, parameters]: Parameters<ContextAddon['open']>) {
  const { addon, trouble } = load();
  if (addon === undefined) throw new Error(`the stepper is ${trouble}`);
  const { handle, needsStates, takesBack } = await addon.open(file, model, parameters);
  return { addon, stepper: new Stepper(addon, handle), needsStates, takesBack };
}
