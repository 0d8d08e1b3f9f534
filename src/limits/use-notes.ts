import type { Store } from '../store/store.ts';
import { toUsedRow } from './settle.ts';
import type { Used } from './types.ts';

/** A stream is noted every 256 tokens and every 2 s: a crash costs the operator no more use than that. */
const mostUnnoted = { tokens: 256, ms: 2000 };

interface NotedStream {
  readonly usedSoFar: () => Used;
  notedTokens: number;
}

/** Notes in the store the use of streams so far, that of all of them in one transaction. */
export class UseNotes {
  readonly #store: Store;
  readonly #onError: (error: unknown) => void;
  /** By the id of the admission. */
  readonly #streams = new Map<number, NotedStream>();
  #timer: NodeJS.Timeout | undefined;

  /** `onError` is told why nothing can be written now; the next note covers this one. */
  constructor(store: Store, onError: (error: unknown) => void) {
    this.#store = store;
    this.#onError = onError;
  }

  /** To be called at every output of a stream. Its first `usedSoFar` is asked from then on, until `forget`. */
  note(id: number, usedSoFar: () => Used): void {
    const stream = this.#streams.get(id) ?? { usedSoFar, notedTokens: 0 };
    this.#streams.set(id, stream);
    this.#timer ??= setInterval(() => this.#write(), mostUnnoted.ms).unref();
    const { promptTokens, completionTokens } = usedSoFar();
    if (promptTokens + completionTokens - stream.notedTokens >= mostUnnoted.tokens) this.#write();
  }

  forget(id: number): void {
    this.#streams.delete(id);
    if (this.#streams.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #write(): void {
    try {
      this.#store.immediate(() => {
        for (const [id, stream] of this.#streams) {
          const used = toUsedRow(stream.usedSoFar());
          stream.notedTokens = used.promptTokens + used.completionTokens;
          this.#store.admissions.note(id, used);
        }
      });
    } catch (error) {
      this.#onError(error);
    }
  }
}
