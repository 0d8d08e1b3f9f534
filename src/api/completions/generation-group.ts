import { RequestBatch } from '../../engine/request-batch.ts';
import type {
  Engine,
  FinishReason,
  Generation,
  GenerationEnd,
  GenerationEvent,
  GenerationRequest,
  Usage,
} from '../../engine/types.ts';
import { nothingComputed } from '../../engine/types.ts';

/** What comes from the generation of the request at `index`: an event, or after the last one why it finished. */
export type GroupEvent = { readonly index: number } & (
  | GenerationEvent
  | { readonly type: 'finished'; readonly finishReason: FinishReason }
);

/** How generations ended that were run together; `usage` is that of all of them. */
export type GroupEnd =
  | { readonly outcome: 'finished'; readonly finishReasons: readonly FinishReason[]; readonly usage: Usage }
  | { readonly outcome: 'aborted'; readonly usage: Usage }
  | { readonly outcome: 'failed'; readonly error: Error; readonly usage: Usage };

/** Generations of one request that run at the same time: when one fails, all end. */
export class GenerationGroup {
  /** Always resolves, once all have ended; never rejects. */
  readonly ended: Promise<GroupEnd>;
  readonly #generations: readonly Generation[];
  readonly #stop: AbortController;
  #failure: Error | undefined;

  /**
   * Starts when all are found good. `stop` ends all of them. `toError` words an error of the request at `index` for the
   * client.
   */
  constructor(
    engine: Engine,
    requests: readonly GenerationRequest[],
    stop: AbortController,
    toError: (error: Error, index: number) => Error,
  ) {
    this.#stop = stop;
    const batch = new RequestBatch(requests.length);
    this.#generations = requests.map((request) => engine.generate({ ...request, batch }, stop.signal));
    const ends = this.#generations.map(async ({ ended }, index) => {
      const end = await ended;
      if (end.outcome === 'failed' && this.#failure === undefined) {
        this.#failure = toError(end.error, index);
        stop.abort();
      }
      return end;
    });
    this.ended = Promise.all(ends).then((all) => this.#toEnd(all));
  }

  /** Resolves when all requests are found good or one failed; throws its error then. */
  async accepted(): Promise<void> {
    await Promise.all(this.#generations.map(({ accepted }) => accepted));
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * The events of all generations as they come, to be read once. Each generation is read only as fast as this is.
   * Throws the error of the first that fails; leaving early ends all.
   */
  async *events(): AsyncGenerator<GroupEvent> {
    const iterators = this.#generations.map(({ events }) => events[Symbol.asyncIterator]());
    const arrived: { readonly index: number; readonly result: IteratorResult<GenerationEvent> }[] = [];
    let wake = (): void => {};
    const advance = async (index: number): Promise<void> => {
      const ended: IteratorResult<GenerationEvent> = { done: true, value: undefined };
      // What it throws is told by its end.
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

  #toEnd(ends: readonly GenerationEnd[]): GroupEnd {
    const usage = ends.map((end) => end.usage).reduce(addUsage, nothingComputed);
    if (this.#failure !== undefined) return { outcome: 'failed', error: this.#failure, usage };
    const finishReasons: FinishReason[] = [];
    for (const end of ends) if (end.outcome === 'finished') finishReasons.push(end.finishReason);
    return finishReasons.length < ends.length
      ? { outcome: 'aborted', usage }
      : { outcome: 'finished', finishReasons, usage };
  }
}

function addUsage(a: Usage, b: Usage): Usage {
  return {
    promptTokens: a.promptTokens + b.promptTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
  };
}
