import { CacheMemory } from '../caches/cache-memory.ts';
import { stillCells } from '../media/medium-ids.ts';
import type { RunningSequence } from '../steps/running-sequence.ts';
import { Checkpoints } from './checkpoints.ts';
import { commonPrefix } from './common-prefix.ts';
import { CellRuns } from './shared-cells.ts';

/**
 * One of the context's permanent sequences: the tokens in its cache, and the request that uses it now. Slots are never
 * freed but only rewound, so no request can find a cache that another one is still disposing of.
 */
export class Slot {
  /** llama.cpp's sequence id. */
  readonly index: number;
  /** The account whose tokens the cache holds; requests of other accounts must not use them. */
  accountId: string | undefined;
  running: RunningSequence | undefined;
  /** The cache holds a line of a batch that has ended. It is not kept, because nobody continues it. */
  isSpent = false;
  /** Grows with each use; the smallest is the least recently used. */
  lastUse = 0;
  /** Saved states of the cached tokens: a memory that cannot be cut goes back to one of them. */
  readonly checkpoints: Checkpoints;
  /** Which of its tokens lie in cells of other slots, too. */
  readonly runs = new CellRuns();
  /** Tokens whose state the cache holds, in order. */
  readonly #tokens: Uint32Array;
  #length = 0;
  /** How many of them stand at the position of the one before them, as parts of pictures may. */
  #still = 0;

  /** `memory`: its checkpoints are counted there; default: it has none. */
  constructor(index: number, contextTokens: number, memory = new CacheMemory(0)) {
    this.index = index;
    this.checkpoints = new Checkpoints(memory);
    this.#tokens = new Uint32Array(contextTokens);
  }

  get length(): number {
    return this.#length;
  }

  /** The position of the next token, for llama.cpp. */
  get position(): number {
    return this.#length - this.#still;
  }

  /** The position of the token behind the first `length` tokens. */
  positionAt(length: number): number {
    return length - stillCells(this.#tokens.subarray(0, length));
  }

  /** Tokens that the cache has room for. */
  get capacity(): number {
    return this.#tokens.length;
  }

  /** The tokens in the cache: a view that is valid until tokens are appended or cut. */
  get tokens(): Uint32Array {
    return this.#tokens.subarray(0, this.#length);
  }

  append(tokens: Uint32Array): void {
    this.#tokens.set(tokens, this.#length);
    this.#length += tokens.length;
    this.runs.append(tokens.length);
    this.#still += stillCells(tokens);
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
    this.runs.truncate(this.#length);
    this.#still = stillCells(this.tokens);
    this.checkpoints.truncate(this.#length);
  }

  /** How many tokens at the beginning of `prompt` the cache already holds. */
  sharedPrefix(prompt: Uint32Array): number {
    return commonPrefix(this.tokens, prompt);
  }
}
