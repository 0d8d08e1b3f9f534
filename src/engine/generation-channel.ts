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
    this.signal = AbortSignal.any([signal, this.#leave.signal]);
    this.generation = { events: this.#read(), ended: this.#ended.promise };
  }

  /** Ends the generation from the server's side: the loop stops it, its reader gets `error`. */
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
    const error = this.#abortError;
    this.#end ??= error === undefined ? end : { outcome: 'failed', error, usage: end.usage };
    this.#ended.resolve(this.#end);
    this.#wake?.();
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
