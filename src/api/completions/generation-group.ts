import { RequestBatch } from '../../engine/queue/request-batch.ts';
import {
  addUsage,
  nothingComputed,
  type Engine,
  type FinishReason,
  type Generation,
  type GenerationEnd,
  type Usage,
  type AnswerDocument,
  type AnswerEvent,
} from '../../engine/generation/generation.ts';
import type { GenerationRequest } from '../../engine/types.ts';
import type { FinishedEnd, RunningGeneration } from '../generation/serve-generation.ts';

/** An event of the generation of the request at `index`, or after its last event the reason why it finished. */
export type GroupEvent = { readonly index: number } & (
  | AnswerEvent
  | { readonly type: 'finished'; readonly finishReason: FinishReason }
);

/** The end of a group whose generations all finished; `usage` is their sum. */
export interface FinishedGroup extends FinishedEnd {
  /** In the order of the requests. */
  readonly finishReasons: readonly FinishReason[];
}

type Running = RunningGeneration<GroupEvent, FinishedGroup, readonly AnswerDocument[]>;

/** Generations of one HTTP request that run at the same time. If one fails, all end. */
export class GenerationGroup implements Running {
  readonly answer: Running['answer'];
  readonly accepted: Promise<void>;
  readonly ended: Running['ended'];
  readonly events: AsyncIterable<GroupEvent> = { [Symbol.asyncIterator]: () => this.#read() };
  readonly #generations: readonly Generation[];
  readonly #stop = new AbortController();
  #failure: Error | undefined;

  /** All requests pass their checks before any begins; `toError` rewords an error of the one at `index`. */
  constructor(
    engine: Engine,
    requests: readonly GenerationRequest[],
    signal: AbortSignal,
    toError: (error: Error, index: number) => Error,
  ) {
    const batch = new RequestBatch(requests.length);
    const stopping = AbortSignal.any([signal, this.#stop.signal]);
    this.#generations = requests.map((request) => engine.generate({ ...request, batch }, stopping));
    this.answer = this.#generations.map(({ answer }) => answer);
    const ends = this.#generations.map(async ({ ended }, index) => {
      const end = await ended;
      if (end.outcome === 'failed' && this.#failure === undefined) {
        this.#failure = toError(end.error, index);
        this.#stop.abort();
      }
      return end;
    });
    this.accepted = Promise.all(this.#generations.map(({ accepted }) => accepted)).then(() => undefined);
    this.ended = Promise.all(ends).then((all) => this.#toEnd(all));
  }

  usageSoFar(): Usage {
    return this.#generations.map((generation) => generation.usageSoFar()).reduce(addUsage, nothingComputed);
  }

  /** The events of all as they happen, no faster than they are read. Throws the first error; leaving early ends all. */
  async *#read(): AsyncGenerator<GroupEvent> {
    const iterators = this.#generations.map(({ events }) => events[Symbol.asyncIterator]());
    const arrived: { readonly index: number; readonly result: IteratorResult<AnswerEvent> }[] = [];
    let wake = (): void => {};
    const advance = async (index: number): Promise<void> => {
      const ended: IteratorResult<AnswerEvent> = { done: true, value: undefined };
      // Its `ended` has the same error.
      const result = (await iterators[index]?.next().catch(() => ended)) ?? ended;
      arrived.push({ index, result });
      wake();
    };
    for (const index of iterators.keys()) void advance(index);
    let open = iterators.length;
    try {
      while (open > 0) {
        const next = arrived.shift();
        if (next === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
          continue;
        }
        const { index, result } = next;
        if (result.done === true) {
          open--;
          const end = await this.#generations[index]?.ended;
          if (this.#failure !== undefined) throw this.#failure;
          if (end?.outcome === 'finished') yield { index, type: 'finished', finishReason: end.finishReason };
        } else {
          yield { index, ...result.value };
          void advance(index);
        }
      }
    } finally {
      if (open > 0) this.#stop.abort();
    }
  }

  #toEnd(ends: readonly GenerationEnd[]): Awaited<Running['ended']> {
    const usage = ends.map((end) => end.usage).reduce(addUsage, nothingComputed);
    if (this.#failure !== undefined) return { outcome: 'failed', error: this.#failure, usage };
    const finishReasons: FinishReason[] = [];
    for (const end of ends) if (end.outcome === 'finished') finishReasons.push(end.finishReason);
    return finishReasons.length < ends.length
      ? { outcome: 'aborted', usage }
      : { outcome: 'finished', finishReasons, usage };
  }
}
