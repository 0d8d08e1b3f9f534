import { setImmediate, setTimeout } from 'node:timers/promises';
import {
  type ChangingCells,
  type ContextShape,
  type NativeContext,
  type SequenceStates,
  StepInterrupted,
} from '../../../src/engine/llama/native/context/context.ts';
import type { StepDraw, Stepper } from '../../../src/engine/llama/native/stepper.ts';
import type { Vocabulary } from '../../../src/engine/llama/tokens/vocabulary.ts';

export const fakeVocabularySize = 1000;
export const fakeEndOfTurn = 0;

/** The token that the fake model says after `tokens`: any change anywhere in them changes it. */
export function fakeNextToken(tokens: readonly number[]): number {
  let hash = 2_166_136_261;
  for (const token of tokens) hash = Math.imul(hash ^ token, 16_777_619);
  return 1 + ((hash >>> 0) % (fakeVocabularySize - 1));
}

interface BatchItem {
  readonly sequence: number;
  readonly tokens: readonly number[];
}

export interface FakeContextOptions {
  readonly sequences: number;
  /** Like a recurrent model, whose state of a sequence cannot be cut, only dropped. */
  readonly forgetsOnlyAll?: boolean;
  /** Like a model with sliding windows: only the tokens of a sequence's last step can be cut. */
  readonly forgetsOnlyLastStep?: boolean;
  /** How long a decode takes; default: one turn of the event loop. */
  readonly decodeMs?: number;
  /** Why this batch cannot be decoded; undefined: it can. */
  readonly decodeFailure?: (batch: readonly BatchItem[]) => Error | undefined;
  /** A failing decode has computed everything before it notices. */
  readonly failsLate?: boolean;
  readonly copyFailure?: Error;
  /** The cells that it begins with; default: each sequence has cells for all of its tokens. */
  readonly shape?: ContextShape | undefined;
  /** Whether this sequence is empty when the context was opened anew. */
  readonly losesState?: (sequence: number) => boolean;
  /** The token to draw instead of the model's choice; undefined: that choice. */
  readonly draw?: (tokens: readonly number[]) => number | undefined;
}

/**
 * A context without a model, for events that no real one can be made to have. It refuses what would break a real one: a
 * gap in the positions of a sequence, and any call while another is at work.
 */
export class FakeNativeContext implements NativeContext {
  /** Tokens that each sequence holds. */
  readonly held: number[][];
  /** The cells that they lie in: in a pool a copy has those of its source. */
  readonly #places: object[][];
  /** The decoded items, batch by batch. */
  readonly decoded: (readonly BatchItem[])[] = [];
  copies = 0;
  /** Steps that were given up. */
  interruptions = 0;
  readonly contextTokens = 1024;
  readonly batchTokens = 512;
  readonly sequences: number;
  readonly needsStates: boolean;
  readonly takesBack: number;
  readonly guess = undefined;
  readonly states: SequenceStates;
  readonly cells: ChangingCells;
  /** It takes no runs. */
  readonly hold = undefined;
  readonly stepper = fakeStepper;
  readonly interrupt: (() => void) | undefined;
  readonly #options: FakeContextOptions;
  /** How many tokens each sequence held before its last step. */
  readonly #heldBefore: number[];
  #batch: BatchItem[] = [];
  #batchTokens = 0;
  /** For each logit index the sequence and how many of its tokens the logits follow upon. */
  #logits: { readonly sequence: number; readonly length: number }[] = [];
  #decoding = false;
  #interruption = Promise.withResolvers<StepInterrupted>();

  constructor(options: FakeContextOptions) {
    this.#options = options;
    this.sequences = options.sequences;
    this.takesBack = options.forgetsOnlyLastStep === true ? Number.POSITIVE_INFINITY : 0;
    this.needsStates = options.forgetsOnlyAll === true || options.forgetsOnlyLastStep === true;
    const whole = { cells: this.sequences * this.contextTokens, isUnified: false };
    this.cells = this.#cellsOfShape(options.shape ?? whole);
    this.states = this.#statesOfCells();
    if (!this.needsStates)
      this.interrupt = () => {
        if (this.#decoding) this.interruptions++;
        this.#interruption.resolve(new StepInterrupted());
      };
    this.held = Array.from({ length: options.sequences }, () => []);
    this.#places = this.held.map(() => []);
    this.#heldBefore = this.held.map(() => 0);
  }

  #statesOfCells(): SequenceStates {
    return {
      bytes: (sequence) => this.#cellsOf(sequence).length * Uint32Array.BYTES_PER_ELEMENT,
      save: async (sequence) => new Uint8Array(Uint32Array.from(this.#cellsOf(sequence)).buffer),
      restore: async (sequence, _isPartial, bytes, position) => {
        this.#mustBeIdle();
        const held = [...new Uint32Array(bytes.slice().buffer)];
        if (held.length !== position) throw new Error(`a state of ${held.length} held at ${position}`);
        this.held[sequence] = held;
        this.#places[sequence] = [];
        this.#heldBefore[sequence] = position;
        return true;
      },
    };
  }

  #cellsOfShape(first: ContextShape): ChangingCells {
    let shape = first;
    return {
      get shape() {
        return shape;
      },
      reshape: async (wanted, shared = []) => {
        this.#mustBeIdle();
        await setImmediate();
        for (const [sequence, held] of this.held.entries())
          if (this.#options.losesState?.(sequence) === true) held.length = 0;
        shape = wanted;
        for (const sequence of this.held.keys()) {
          this.#places[sequence] = [];
          this.#place(sequence);
          for (const { source, target, position } of shape.isUnified ? shared : [])
            if (target === sequence && this.#cellsOf(source).length > 0 && this.#cellsOf(target).length > 0)
              this.#places[target]?.splice(0, position, ...(this.#places[source] ?? []).slice(0, position));
          this.#mustFit();
        }
        return true;
      },
      holds: (sequence) => this.#cellsOf(sequence).length > 0,
    };
  }

  #mustFit(): void {
    const { shape } = this.cells;
    const lengths = this.held.map(({ length }) => length);
    for (const sequence of this.held.keys()) this.#place(sequence);
    const used = shape.isUnified ? new Set(this.#places.flat()).size : Math.max(...lengths);
    const most = shape.isUnified ? shape.cells : shape.cells / this.sequences;
    if (used > most) throw new Error(`${used} cells are used of ${most}`);
  }

  /** Gives each token of the sequence a cell, and takes back those of tokens that are gone. */
  #place(sequence: number): void {
    const places = this.#places[sequence] ?? [];
    const { length } = this.#cellsOf(sequence);
    places.length = Math.min(places.length, length);
    while (places.length < length) places.push({});
  }

  setThreads(): void {}

  get isDecoding(): boolean {
    return this.#decoding;
  }

  get decodedTokens(): number {
    return this.decoded.flat().reduce((total, { tokens }) => total + tokens.length, 0);
  }

  initBatch(size: number): void {
    this.#mustBeIdle();
    if (size < 1 || size > 512) throw new RangeError('Invalid batch size');
    this.#batch = [];
    this.#batchTokens = 0;
    this.#logits = [];
  }

  addToBatch(
    sequence: number,
    position: number,
    tokens: Uint32Array,
    logitIndexes: Uint32Array,
  ): Uint32Array {
    this.#mustBeIdle();
    const held = this.#cellsOf(sequence).length;
    if (held !== position) throw new Error(`position ${position} of ${sequence}, which holds ${held}`);
    this.#batch.push({ sequence, tokens: [...tokens] });
    const first = this.#batchTokens;
    this.#batchTokens += tokens.length;
    return logitIndexes.map((index) => {
      this.#logits[first + index] = { sequence, length: position + index + 1 };
      return first + index;
    });
  }

  async decodeBatch(draws: readonly StepDraw[] = []): Promise<readonly Float64Array[]> {
    this.#mustBeIdle();
    this.#decoding = true;
    const { decodeMs } = this.#options;
    this.#interruption = Promise.withResolvers();
    const interruption = await Promise.race([
      this.#interruption.promise,
      decodeMs === undefined ? setImmediate() : setTimeout(decodeMs),
    ]);
    this.#decoding = false;
    const failure = this.#options.decodeFailure?.(this.#batch) ?? interruption;
    if (failure === undefined || this.#options.failsLate === true)
      for (const { sequence, tokens } of this.#batch) {
        const held = this.#cellsOf(sequence);
        this.#heldBefore[sequence] = held.length;
        held.push(...tokens);
      }
    if (failure !== undefined) throw failure;
    this.#mustFit();
    this.decoded.push(this.#batch);
    return draws.map(({ logitIndex }) => Float64Array.of(this.#draw(logitIndex)));
  }

  #draw(logitIndex: number): number {
    const logits = this.#logits[logitIndex];
    if (logits === undefined) throw new Error(`no logits at ${logitIndex}`);
    const tokens = this.#cellsOf(logits.sequence).slice(0, logits.length);
    return this.#options.draw?.(tokens) ?? fakeNextToken(tokens);
  }

  canCut(sequence: number, position: number): boolean {
    const { length } = this.#cellsOf(sequence);
    if (position <= 0 || position >= length || !this.needsStates) return true;
    return this.takesBack > 0 && position >= (this.#heldBefore[sequence] ?? 0);
  }

  cut(sequence: number, position: number): boolean {
    this.#mustBeIdle();
    if (!this.canCut(sequence, position)) return false;
    const held = this.#cellsOf(sequence);
    held.length = Math.min(held.length, position);
    this.#place(sequence);
    return true;
  }

  async copySequence(source: number, target: number): Promise<void> {
    this.#mustBeIdle();
    this.#decoding = true;
    await setImmediate();
    this.#decoding = false;
    if (this.#options.copyFailure !== undefined) throw this.#options.copyFailure;
    this.copies++;
    this.held[target] = [...this.#cellsOf(source)];
    this.#place(source);
    const isShared = this.cells.shape.isUnified && !this.needsStates;
    this.#places[target] = isShared ? [...(this.#places[source] ?? [])] : [];
  }

  async dispose(): Promise<void> {}

  #cellsOf(sequence: number): number[] {
    const held = this.held[sequence];
    if (held === undefined) throw new Error(`no sequence ${sequence}`);
    return held;
  }

  #mustBeIdle(): void {
    if (this.#decoding) throw new Error('the context is at work');
  }
}

/** Token 0 ends the turn; every other one is its number and a space. */
export const fakeVocabulary = {
  endOfGeneration: new Set([fakeEndOfTurn]),
  neverDrawn: [],
  controlTokenIds: new Set(),
  bytesOf: (token: number) => new TextEncoder().encode(`${token} `),
} as unknown as Vocabulary;

/** Makes samplers that do nothing: the context draws. */
const fakeStepper = {
  createSampler: () => ({ handle: {}, setBiases: () => undefined, takeBack: () => undefined }),
} as unknown as Stepper;
