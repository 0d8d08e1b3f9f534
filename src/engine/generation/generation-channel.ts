import { Answer } from './answer.ts';
import {
  nothingComputed,
  type GeneratedTokenLogprob,
  type Generation,
  type GenerationEnd,
  type GenerationEvent,
  type StartedEvent,
  type Usage,
  type AnswerEvent,
} from './generation.ts';

/** Fields of `started` that only some requests have. */
type StartedExtras = Pick<StartedEvent, 'prompt' | 'ignored'>;

/**
 * Carries one generation from the step loop, which never waits, to a reader, which may be slow and gets its blocks.
 * Unread texts are joined, so that a reader that stops reading costs no more memory than the whole answer.
 */
export class GenerationChannel {
  readonly generation: Generation;
  /** Aborted when the caller aborts or the reader leaves. */
  readonly signal: AbortSignal;
  /** The usage so far. Set by the engine that computes the generation. */
  usageSoFar: () => Usage = () => nothingComputed;
  readonly #leave = new AbortController();
  readonly #accepted = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<GenerationEnd>();
  /** Unread events; neighbours of one kind are joined. */
  readonly #events: GenerationEvent[] = [];
  readonly #answer = new Answer();
  #end: GenerationEnd | undefined;
  #abortError: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#leave.signal]);
    this.generation = {
      answer: this.#answer,
      events: { [Symbol.asyncIterator]: () => this.#iterate(this.#readBlocks()) },
      accepted: this.#accepted.promise,
      ended: this.#ended.promise,
      usageSoFar: () => this.#end?.usage ?? this.usageSoFar(),
    };
  }

  /** The events as the engine wrote them: for a process that hands them on. To be read in place of the blocks. */
  get pieces(): AsyncIterable<GenerationEvent> {
    return { [Symbol.asyncIterator]: () => this.#iterate(this.#read()) };
  }

  /** Stops the generation from the server's side; its reader gets `error`, unless it had finished already. */
  abort(error: Error): void {
    this.#abortError = error;
    this.#leave.abort();
  }

  /** The request has passed all checks. */
  accept(): void {
    this.#accepted.resolve();
  }

  start(promptTokens: number, cachedTokens: number, more: StartedExtras = {}): void {
    this.emit({ type: 'started', promptTokens, cachedTokens, ...more });
  }

  push(text: string, logprobs: readonly GeneratedTokenLogprob[]): void {
    if (text !== '' || logprobs.length > 0) this.emit({ type: 'text', text, logprobs });
  }

  emit(event: GenerationEvent): void {
    const last = this.#events.at(-1);
    const joined = last && join(last, event);
    if (joined === undefined) this.#events.push(own(event));
    else this.#events[this.#events.length - 1] = joined;
    this.#wake?.();
  }

  /** Ends the generation. Later calls have no effect. */
  end(end: GenerationEnd): void {
    const error = end.outcome === 'aborted' ? this.#abortError : undefined;
    this.#end ??= error === undefined ? end : { outcome: 'failed', error, usage: end.usage };
    this.#accepted.resolve();
    this.#ended.resolve(this.#end);
    this.#wake?.();
  }

  /** The events. A plain generator would notice only at the next event that its reader has left. */
  #iterate<Event>(events: AsyncGenerator<Event>): AsyncIterator<Event> {
    return {
      next: () => events.next(),
      return: () => {
        this.#readerLeaves();
        return events.return(undefined);
      },
    };
  }

  /** Does not abort an ended generation: that would only close connections that the next request can use. */
  #readerLeaves(): void {
    if (this.#end === undefined) this.#leave.abort();
  }

  async *#readBlocks(): AsyncGenerator<AnswerEvent> {
    for await (const piece of this.#read()) yield* this.#answer.add(piece);
    if (this.#end?.outcome === 'finished') yield* this.#answer.finish(this.#end.finishReason);
  }

  async *#read(): AsyncGenerator<GenerationEvent> {
    try {
      while (true) {
        const event = this.#events.shift();
        if (event !== undefined) {
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
      this.#readerLeaves();
    }
  }
}

/** Both events as one; undefined when they cannot be joined. */
function join(first: GenerationEvent, second: GenerationEvent): GenerationEvent | undefined {
  if (first.type === 'text' && second.type === 'text') {
    // The list grows in place: otherwise each token would copy all unread ones.
    const logprobs = first.logprobs as GeneratedTokenLogprob[];
    logprobs.push(...second.logprobs);
    return { type: 'text', text: first.text + second.text, logprobs };
  }
  if (first.type === 'progress' && second.type === 'progress') return second;
  if (first.type === 'reasoning' && second.type === 'reasoning')
    return { type: 'reasoning', text: first.text + second.text };
  if (first.type === 'tool-arguments' && second.type === 'tool-arguments' && first.index === second.index)
    return { ...first, text: first.text + second.text };
  return undefined;
}

/** A copy of the event whose list `join` may change. */
const own = (event: GenerationEvent): GenerationEvent =>
  event.type === 'text' ? { ...event, logprobs: [...event.logprobs] } : event;
