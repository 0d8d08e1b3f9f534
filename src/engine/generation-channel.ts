import type { Generation, GenerationEnd, GenerationEvent, GeneratedTokenLogprob } from './types.ts';

/**
 * Carries one generation's events from the step loop, which never waits, to a reader, which may be slow: texts
 * that nobody read yet are joined, so that a reader who stops reading costs no more than the whole answer.
 */
export class GenerationChannel {
  readonly generation: Generation;
  /** Aborted when the caller aborts or the reader leaves. */
  readonly signal: AbortSignal;
  readonly #leave = new AbortController();
  readonly #ended = Promise.withResolvers<GenerationEnd>();
  #started: GenerationEvent | undefined;
  #text = '';
  #logprobs: GeneratedTokenLogprob[] = [];
  #end: GenerationEnd | undefined;
  #abortError: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.signal = this.#leave.signal;
    const leave = (): void => this.#leave.abort(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    // The caller's signal may live on for many generations more.
    void this.#ended.promise.then(() => signal.removeEventListener('abort', leave));
    this.generation = {
      events: { [Symbol.asyncIterator]: () => this.#iterate() },
      ended: this.#ended.promise,
    };
  }

  /** Stops the generation from the server's side; its reader gets `error`, unless it had finished already. */
  abort(error: Error): void {
    this.#abortError = error;
    this.#leave.abort();
  }

  start(promptTokens: number, cachedTokens: number): void {
    this.#started = { type: 'started', promptTokens, cachedTokens };
    this.#wake?.();
  }

  push(text: string, logprobs: readonly GeneratedTokenLogprob[]): void {
    if (text === '' && logprobs.length === 0) return;
    this.#text += text;
    this.#logprobs.push(...logprobs);
    this.#wake?.();
  }

  /** The last word; anything after it is ignored. */
  end(end: GenerationEnd): void {
    const error = end.outcome === 'aborted' ? this.#abortError : undefined;
    this.#end ??= error === undefined ? end : { outcome: 'failed', error, usage: end.usage };
    this.#ended.resolve(this.#end);
    this.#wake?.();
  }

  /** A generator alone would hear that its reader left only at the next event, and before the first one never. */
  #iterate(): AsyncIterator<GenerationEvent> {
    const events = this.#read();
    return {
      next: () => events.next(),
      return: () => {
        this.#leave.abort();
        return events.return(undefined);
      },
    };
  }

  async *#read(): AsyncGenerator<GenerationEvent> {
    try {
      while (true) {
        if (this.#started !== undefined) {
          const started = this.#started;
          this.#started = undefined;
          yield started;
        } else if (this.#text !== '' || this.#logprobs.length > 0) {
          const event: GenerationEvent = { type: 'text', text: this.#text, logprobs: this.#logprobs };
          this.#text = '';
          this.#logprobs = [];
          yield event;
        } else if (this.#end !== undefined) {
          if (this.#end.outcome === 'failed') throw this.#end.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
      }
    } finally {
      this.#leave.abort();
    }
  }
}
