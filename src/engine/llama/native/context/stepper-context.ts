import type { LlamaModel } from 'node-llama-cpp';
import { DeviceFullError } from '../../../pool/loadable.ts';
import { messageOf } from '../../../../words/describe-error.ts';
import type { ContextAddon, ContextParameters } from '../context-addon.ts';
import {
  type ChangingCells,
  type ContextOptions,
  type ContextShape,
  type EmbeddingOptions,
  type NativeContext,
  type NativeEmbeddingContext,
  type SequenceStates,
  StepInterrupted,
} from './context.ts';
import { loadedAddonFile } from '../loaded-addon-file.ts';
import { nativeModelOf } from '../model.ts';
import { openStepper, type Run, type StepDraw, type Stepper } from '../stepper.ts';

/** llama.cpp pads caches to a multiple of 256 cells. */
const paddedCells = 256;

/** The cells of a sequence of `tokens` tokens. */
export const toCells = (tokens: number): number => Math.ceil(tokens / paddedCells) * paddedCells;

/** A context that the stepper opens and owns. Throws DeviceFullError where there is no memory for it, or the reason of `signal`. */
export async function openContext(
  model: LlamaModel,
  options: ContextOptions & EmbeddingOptions,
): Promise<NativeContext & NativeEmbeddingContext> {
  const { signal } = options;
  const contextTokens = paddedTokens(options.contextTokens, model.trainContextSize);
  const parameters = parametersOf({ ...options, contextTokens });
  const opened = await openStepper(loadedAddonFile(), nativeModelOf(model), parameters).catch(
    (cause: unknown) => {
      throw new DeviceFullError(messageOf(cause), { cause });
    },
  );
  const context = new StepperContext(opened, {
    ...options,
    contextTokens,
    batchTokens: parameters.batchTokens,
    shape: { cells: parameters.cells, isUnified: parameters.isUnified },
    isOnGpu: model.gpuLayers > 0,
    hasHeads: parameters.hasHeads,
  });
  if (signal?.aborted !== true) return context;
  await context.dispose();
  throw signal.reason;
}

/** The parameters with which the addon opens a context. */
export function parametersOf(options: ContextOptions & EmbeddingOptions): ContextParameters {
  const { contextTokens, sequences, batchTokens, outputTokens = 0, threads, flashAttention } = options;
  const { cacheType, embeds = false, ranks = false, adapters = [], shape, headTokens = 0 } = options;
  return {
    ...(shape ?? { cells: toCells(contextTokens) * sequences, isUnified: false }),
    sequences,
    // A step computes at least a token of each sequence.
    batchTokens: Math.max(batchTokens, sequences),
    outputTokens,
    threads,
    flashAttention: flashAttention === undefined ? -1 : flashAttention ? 1 : 0,
    cacheType,
    embeds,
    ranks,
    takenBack: headTokens,
    hasHeads: headTokens > 0,
    adapters,
  };
}

/** `tokens` rounded up to whole blocks of cells; unchanged where that reaches the model's `trainedTokens`. */
function paddedTokens(tokens: number, trainedTokens: number): number {
  const padded = toCells(tokens);
  return padded < trainedTokens ? padded : tokens;
}

class StepperContext implements NativeContext, NativeEmbeddingContext {
  readonly stepper: Stepper;
  readonly needsStates: boolean;
  readonly takesBack: number;
  readonly guess: NativeContext['guess'];
  readonly interrupt: (() => void) | undefined;
  readonly states: SequenceStates;
  readonly cells: ChangingCells;
  readonly hold: (() => void) | undefined;
  readonly sequences: number;
  readonly contextTokens: number;
  readonly batchTokens: number;
  readonly #addon: ContextAddon;
  #tokens: Uint32Array[] = [];
  /** Of each part of the batch: sequence, position, tokens, and the first of these whose outputs are wanted. */
  #parts: number[] = [];
  #batchLength = 0;
  #isInterrupted = false;

  constructor(
    { addon, stepper, needsStates, takesBack }: Awaited<ReturnType<typeof openStepper>>,
    options: Pick<ContextOptions, 'sequences' | 'contextTokens' | 'batchTokens'> & {
      shape: ContextShape;
      isOnGpu: boolean;
      hasHeads: boolean;
    },
  ) {
    this.#addon = addon;
    this.stepper = stepper;
    this.needsStates = needsStates;
    this.takesBack = takesBack;
    this.sequences = options.sequences;
    this.contextTokens = options.contextTokens;
    this.batchTokens = options.batchTokens;
    const { handle } = stepper;
    if (options.hasHeads) this.guess = (asks) => addon.guess(handle, asks);
    let { shape } = options;
    this.cells = {
      get shape() {
        return shape;
      },
      async reshape(wanted, shared = []) {
        const prefixes = shared.flatMap(({ source, target, position }) => [source, target, position]);
        const isDone = await addon.reshape(handle, wanted.cells, wanted.isUnified, Int32Array.from(prefixes));
        if (isDone) shape = wanted;
        return isDone;
      },
      holds: (sequence) => addon.holds(handle, sequence),
    };
    // llama.cpp asks only between two operations on the CPU whether to go on.
    if (!needsStates && !options.isOnGpu)
      this.interrupt = () => {
        this.#isInterrupted = true;
        addon.interrupt(handle);
      };
    // The tokens of a step that nobody wants have to be cut.
    if (!needsStates) this.hold = () => stepper.hold();
    this.states = {
      bytes: (sequence, isPartial) => addon.stateBytes(handle, sequence, isPartial),
      async save(sequence, isPartial) {
        const bytes = new Uint8Array(addon.stateBytes(handle, sequence, isPartial));
        if (await addon.saveState(handle, sequence, isPartial, bytes)) return bytes;
        throw new Error('the state of a sequence could not be saved');
      },
      restore: (sequence, isPartial, bytes, position) =>
        addon.restoreState(handle, sequence, isPartial, bytes, position),
    };
  }

  setThreads(threads: number): void {
    this.#addon.setThreads(this.stepper.handle, threads);
  }

  initBatch(): void {
    this.#tokens = [];
    this.#parts = [];
    this.#batchLength = 0;
  }

  addToBatch(
    sequence: number,
    position: number,
    tokens: Uint32Array,
    logitIndexes: Uint32Array,
  ): Uint32Array {
    const first = this.#batchLength;
    this.#tokens.push(tokens);
    this.#parts.push(sequence, position, tokens.length, logitIndexes[0] ?? tokens.length);
    this.#batchLength += tokens.length;
    return logitIndexes.map((index) => first + index);
  }

  async decodeBatch(draws: readonly StepDraw[] = [], run?: Run): Promise<readonly Float64Array[]> {
    const tokens = new Uint32Array(this.#batchLength);
    let at = 0;
    for (const part of this.#tokens) {
      tokens.set(part, at);
      at += part.length;
    }
    this.#isInterrupted = false;
    try {
      return await this.stepper.step(tokens, Int32Array.from(this.#parts), draws, run);
    } catch (cause) {
      throw this.#isInterrupted ? new StepInterrupted() : cause;
    }
  }

  canCut(sequence: number, position: number): boolean {
    return this.#addon.canCut(this.stepper.handle, sequence, position);
  }

  cut(sequence: number, position: number): boolean {
    return this.#addon.cut(this.stepper.handle, sequence, position);
  }

  copySequence(source: number, target: number): Promise<void> {
    return this.#addon.copy(this.stepper.handle, source, target);
  }

  getEmbedding(): Float32Array {
    const vector = this.#addon.vector(this.stepper.handle);
    if (vector.length === 0) throw new Error('the model has no vectors');
    return vector;
  }

  dispose(): Promise<void> {
    return this.#addon.close(this.stepper.handle);
  }
}
