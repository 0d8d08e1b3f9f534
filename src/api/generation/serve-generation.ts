import type { CatalogModel } from '../../catalog/types.ts';
import type { Usage } from '../../engine/types.ts';
import { toAppError } from '../../errors.ts';
import type { AppError } from '../../errors.ts';
import type { AppContext, AppDeps } from '../env.ts';
import { createLeaving } from './leaving.ts';
import { runMetered } from './metering.ts';
import type { Meter, MeteredRoute } from './metering.ts';
import { clientLeft, logCause } from '../middleware/on-error.ts';
import { sseResponse } from './sse.ts';
import { toWireError } from './to-wire-error.ts';
import type { ParameterPlace } from './to-wire-error.ts';

/** How a generation ended that has all of its answer. */
export interface FinishedEnd {
  readonly outcome: 'finished';
  readonly usage: Usage;
}

/** The engine's generation, or several that answer one request together. */
export interface RunningGeneration<Event extends { readonly type: string }, Finished extends FinishedEnd> {
  /** To be read once; throws what made the generation fail. Leaving the loop early aborts it. */
  readonly events: AsyncIterable<Event>;
  /** Resolves when the request is found good, or has ended; never rejects. */
  readonly accepted: Promise<void>;
  /** Always resolves; `usage` is what was really computed. */
  readonly ended: Promise<
    | Finished
    | { readonly outcome: 'aborted'; readonly usage: Usage }
    | { readonly outcome: 'failed'; readonly error: Error; readonly usage: Usage }
  >;
}

/** Puts an answer together that is sent in one piece. */
export interface WholeAnswer<Event, Finished> {
  add(event: Event): void;
  /** The JSON object of the answer; called once, behind the last `add`. */
  body(end: Finished): object;
}

/** Writes an answer as server-sent events, as an endpoint words them; '' is nothing to send. */
export interface StreamedAnswer<Event, Finished> {
  begin(): string;
  add(event: Event): string;
  /** What a complete stream ends with; called once, behind the last `add`. What it throws goes to `fail`. */
  end(end: Finished): Iterable<string>;
  /** What a stream ends with that fails after it began. */
  fail(error: AppError, usage: Usage): string;
}

/** One request to generate something, checked and converted. */
export interface GenerationJob<Event extends { readonly type: string }, Finished extends FinishedEnd> {
  readonly route: MeteredRoute;
  readonly model: CatalogModel;
  readonly generate: (
    signal: AbortSignal,
  ) => RunningGeneration<Event, Finished> | Promise<RunningGeneration<Event, Finished>>;
  readonly answer:
    | { readonly kind: 'whole'; readonly mapping: WholeAnswer<Event, Finished> }
    | { readonly kind: 'streamed'; readonly mapping: StreamedAnswer<Event, Finished> };
  /** Where the parameters that the engine complains about are in the request. */
  readonly places: readonly ParameterPlace[];
}

/**
 * The response to one request to generate something: takes the allowance, generates, answers in one piece or as a
 * stream, and charges what was computed, however it ended. Throws AppError where no answer begins.
 */
export async function serveGeneration<Event extends { readonly type: string }, Finished extends FinishedEnd>(
  c: AppContext,
  deps: AppDeps,
  { route, model, generate, answer, places }: GenerationJob<Event, Finished>,
): Promise<Response> {
  const leaving = createLeaving(c);
  try {
    return await runMetered(c, deps, {
      route,
      model,
      start: async () => await generate(leaving.signal),
      use: async (generation, meter) => {
        if (answer.kind === 'whole') return await respondWhole(c, generation, meter, answer.mapping);
        const source = await toStream(c, deps, generation, meter, answer.mapping);
        if (source === undefined) return clientLeft(c);
        return sseResponse(c, source, () => leaving.abort(), deps.settings);
      },
    });
  } catch (thrown) {
    // What a client sent is judged before any output: an error within a stream names no parameter.
    throw toWireError(thrown, places);
  }
}

async function respondWhole<Event extends { readonly type: string }, Finished extends FinishedEnd>(
  c: AppContext,
  generation: RunningGeneration<Event, Finished>,
  meter: Meter,
  mapping: WholeAnswer<Event, Finished>,
): Promise<Response> {
  for await (const event of generation.events) {
    if (isOutput(event)) meter.noteOutput();
    mapping.add(event);
  }
  const end = await generation.ended;
  if (end.outcome === 'failed') throw end.error;
  return end.outcome === 'finished' ? c.json(mapping.body(end)) : clientLeft(c);
}

/**
 * The server-sent events of a generation that has begun; undefined: the client left before. Awaits the first event,
 * so that what fails until then has an ordinary status. Throws what made it fail.
 */
async function toStream<Event extends { readonly type: string }, Finished extends FinishedEnd>(
  c: AppContext,
  { log }: Pick<AppDeps, 'log'>,
  generation: RunningGeneration<Event, Finished>,
  meter: Meter,
  mapping: StreamedAnswer<Event, Finished>,
): Promise<AsyncGenerator<string> | undefined> {
  const events = generation.events[Symbol.asyncIterator]();
  await generation.accepted;
  const first = await events.next();
  if (first.done === true) return undefined;
  meter.noteStreamBegins();
  const onFailure = (error: AppError): void => {
    c.get('access').errorCode = error.code;
    logCause(log, c.get('requestId'), error);
  };
  const requestId = c.get('requestId');
  return writeStream({ first: first.value, events, generation, meter, mapping, requestId, onFailure });
}

interface BegunStream<Event extends { readonly type: string }, Finished extends FinishedEnd> {
  readonly first: Event;
  /** Those behind the first one. */
  readonly events: AsyncIterator<Event>;
  readonly generation: RunningGeneration<Event, Finished>;
  readonly meter: Meter;
  readonly mapping: StreamedAnswer<Event, Finished>;
  readonly requestId: string;
  /** Told about a failure after the stream began, which the client sees as an event only. */
  onFailure(error: AppError): void;
}

/** Never throws: a failure is among its last events. Ends without one when the client has left. */
async function* writeStream<Event extends { readonly type: string }, Finished extends FinishedEnd>(
  stream: BegunStream<Event, Finished>,
): AsyncGenerator<string> {
  const { first, events, generation, meter, mapping } = stream;
  const take = (event: Event): string => {
    if (isOutput(event)) meter.noteOutput();
    return mapping.add(event);
  };
  try {
    const begin = mapping.begin() + take(first);
    if (begin !== '') yield begin;
    for (let next = await events.next(); next.done !== true; next = await events.next()) {
      const text = take(next.value);
      if (text !== '') yield text;
    }
    const end = await generation.ended;
    await meter.settled;
    if (end.outcome === 'finished') yield* mapping.end(end);
  } catch (thrown) {
    const { usage } = await generation.ended;
    await meter.settled;
    const error = toAppError(thrown, stream.requestId);
    stream.onFailure(error);
    yield mapping.fail(error, usage);
  } finally {
    // Reached by a client that leaves, too: the engine then stops.
    await events.return?.();
  }
}

/** Whether the client is told something new: not by what merely says that the generation began or ended. */
function isOutput({ type }: { readonly type: string }): boolean {
  return type !== 'started' && type !== 'finished';
}
