import type { Usage } from '../../engine/generation/generation.ts';
import { toAppError, invalidValue, type AppError } from '../../errors/errors.ts';
import { nodeBindings, type AppContext, type AppDeps } from '../env.ts';
import { clientLeft, throwIfCancelled } from './leaving.ts';
import type { Meter } from './meter.ts';
import { runMetered, type MeteredJob, type MeteredRoute } from './metering.ts';
import { noteError } from '../middleware/on-error.ts';
import type { KeptStream } from '../streams/kept-stream.ts';
import { errorEvent, nextPing, sseResponse, type StreamFormat } from './wire/sse.ts';
import { nameIgnored } from '../request/read-parameters.ts';
import { toWireError, toWirePath, type ParameterPlace } from './wire/to-wire-error.ts';

interface Typed {
  readonly type: string;
  /** Parameters that the engine ignores, under the names that its errors give them. */
  readonly ignored?: readonly string[];
}

/** How a generation with a complete answer ended. */
export interface FinishedEnd {
  readonly outcome: 'finished';
  readonly usage: Usage;
}

/** The engine's generation, or several that answer one request together. */
export interface RunningGeneration<Event extends Typed, Finished extends FinishedEnd, Answer = undefined> {
  /** All that the read events tell, for those who want it at once. */
  readonly answer: Answer;
  /** To be read once. Throws the error that made the generation fail. Leaving the loop early aborts the generation. */
  readonly events: AsyncIterable<Event>;
  /** Resolves when the request has passed all checks, or has ended; never rejects. */
  readonly accepted: Promise<void>;
  /** Always resolves; `usage` counts actual work only. */
  readonly ended: Promise<
    | Finished
    | { readonly outcome: 'aborted'; readonly usage: Usage }
    | { readonly outcome: 'failed'; readonly error: Error; readonly usage: Usage }
  >;
  usageSoFar(): Usage;
  /** The audio that has been listened to by now; undefined: none is. */
  readonly audioSecondsSoFar?: () => number;
}

/** Writes an answer as one endpoint's stream: events, or bytes. An empty text sends nothing. */
export interface StreamedAnswer<Event, Finished> extends StreamFormat {
  /** The text before the first event. `usage` counts the work by now. */
  begin?(usage: Usage): string;
  add(event: Event, usage: Usage): string | Uint8Array;
  /** The last events of a complete stream; called once, after the last `add`. An error of it goes to `fail`. */
  end(end: Finished): Iterable<string> | AsyncIterable<string>;
  /** The last events of a stream that failed; undefined: its connection breaks off. Default: as OpenAI has it. */
  fail?(error: AppError, usage: Usage): string | undefined;
}

type WholeAnswer<Finished, Answer> = (end: Finished, answer: Answer) => object | Promise<object>;

interface GenerationJob<Event extends Typed, Finished extends FinishedEnd, Answer> extends Pick<
  MeteredJob<unknown, unknown>,
  'route' | 'model' | 'mostTokens'
> {
  readonly generate: (
    signal: AbortSignal,
  ) => RunningGeneration<Event, Finished, Answer> | Promise<RunningGeneration<Event, Finished, Answer>>;
  /** How it is written: as a stream, or as the JSON object that a function makes of the whole. */
  readonly answer: StreamedAnswer<Event, Finished> | WholeAnswer<Finished, Answer>;
  /** Called when the first event has come, and may be called again for later ones. */
  readonly onBegun?: () => void;
  /** Where the request has the parameters that the engine's errors name. */
  readonly places: readonly ParameterPlace[];
}

/** The response to one request to generate something, which is charged for actual work. Throws AppError. */
export async function serveGeneration<Event extends Typed, Finished extends FinishedEnd, Answer>(
  c: AppContext,
  deps: AppDeps,
  { route, model, mostTokens, generate, answer, places, onBegun }: GenerationJob<Event, Finished, Answer>,
): Promise<Response> {
  /** Sets a header, so it must be called before the response begins. */
  const note = ({ ignored = [] }: Typed) => {
    onBegun?.();
    nameIgnored(
      c,
      ignored.map((name) => toWirePath(name, places)),
    );
  };
  // Streams in the form of another API cannot be read on: a reader could not tell which.
  const kept =
    typeof answer !== 'function' && answer.contentType === undefined ? openStream(c, deps, route) : undefined;
  try {
    return await runMetered(c, deps, {
      route,
      model,
      mostTokens,
      start: generate,
      leaving: kept?.leaving,
      use: async (generation, meter, stop) =>
        typeof answer === 'function'
          ? await respondWhole(c, generation, meter, answer, note)
          : await respondStreamed(c, deps, generation, meter, answer, note, stop, kept),
    });
  } catch (thrown) {
    // Only errors before the first output are about the client's parameters, so events of a stream need no translation.
    const error = toWireError(thrown, places);
    kept?.fail(errorEvent(toAppError(error, c.get('requestId'))));
    throw error;
  }
}

async function respondWhole<Event extends Typed, Finished extends FinishedEnd, Answer>(
  c: AppContext,
  generation: RunningGeneration<Event, Finished, Answer>,
  meter: Meter,
  toBody: WholeAnswer<Finished, Answer>,
  note: (event: Event) => void,
): Promise<Response> {
  for await (const event of generation.events) {
    note(event);
    meter.noteStarted();
    if (isOutput(event)) meter.noteOutput(generation.usageSoFar());
  }
  const end = await generation.ended;
  if (end.outcome === 'failed') throw end.error;
  return end.outcome === 'finished' ? c.json(await toBody(end, generation.answer)) : clientLeft(c);
}

/** Throws the error of a generation that fails before the stream begins, so that it has its own status. */
async function respondStreamed<Event extends Typed, Finished extends FinishedEnd>(
  c: AppContext,
  { log, settings }: AppDeps,
  generation: RunningGeneration<Event, Finished, unknown>,
  meter: Meter,
  mapping: StreamedAnswer<Event, Finished>,
  note: (event: Event) => void,
  stop: () => void,
  kept: KeptStream | undefined,
): Promise<Response> {
  const usedSoFar = () => ({
    ...generation.usageSoFar(),
    audioSeconds: generation.audioSecondsSoFar?.() ?? 0,
  });
  const events = generation.events[Symbol.asyncIterator]();
  await generation.accepted;
  const first = events.next();
  // Some clients give up on a server that sends nothing for minutes, which a long prompt can take on a processor.
  const early = mapping.ping === undefined ? await first : await Promise.race([first, nextPing(settings)]);
  if (early?.done === true) {
    const left = clientLeft(c);
    kept?.fail();
    return left;
  }
  if (early !== undefined) note(early.value);
  meter.noteStreamBegins();
  if (kept === undefined) return sseResponse(c, write(), stop, settings, mapping);
  void kept.run(write());
  return sseResponse(c, kept.read(0, c.req.raw.signal), () => undefined, settings, mapping);

  /** An error becomes the last event, or breaks the connection. Without a last event if the client disconnected. */
  async function* write(): AsyncGenerator<string | Uint8Array> {
    try {
      let begun = mapping.begin?.(generation.usageSoFar()) ?? '';
      for (let next = await first; next.done !== true; next = await events.next()) {
        meter.noteStarted();
        if (isOutput(next.value)) {
          meter.noteOutput(generation.usageSoFar());
          meter.noteUse(usedSoFar);
        }
        const chunk = mapping.add(next.value, generation.usageSoFar());
        if (begun.length + chunk.length > 0) yield typeof chunk === 'string' ? begun + chunk : chunk;
        begun = '';
      }
      const end = await generation.ended;
      await meter.settled;
      if (end.outcome === 'finished') yield* mapping.end(end);
      else throwIfCancelled(c);
    } catch (thrown) {
      const { usage } = await generation.ended;
      await meter.settled;
      const error = noteError(c, log, c.get('cancelled') ?? thrown);
      const last = mapping.fail === undefined ? errorEvent(error) : mapping.fail(error, usage);
      yield last ?? breakOff(c, error);
    } finally {
      // Also reached when the client disconnects: the engine then stops.
      await events.return?.();
    }
  }
}

/** Nothing more; the connection is closed, so that a part is not taken for the whole. Throws without a socket. */
function breakOff(c: AppContext, error: AppError): string {
  const { outgoing } = nodeBindings(c);
  if (outgoing === undefined) throw error;
  outgoing.destroy();
  return '';
}

/** Whether `event` tells the client something new: that something began, got on or ended is no output. */
function isOutput({ type }: Typed): boolean {
  return type !== 'started' && type !== 'progress' && type !== 'close' && type !== 'finished';
}

/** The name that a client gives to a stream, so that it can read on after its connection broke. */
const nameHeader = 'x-conversation-id';

/** The stream that a request names; undefined: it names none, so that it ends with its connection. Throws invalid_value. */
function openStream(
  c: AppContext,
  { streams }: Pick<AppDeps, 'streams'>,
  { route }: MeteredRoute,
): KeptStream | undefined {
  const name = c.req.header(nameHeader);
  if (name === undefined) return undefined;
  if (/^[\w.:-]{1,128}$/.test(name))
    return streams.open(c.get('principal').accountId, name, route, c.req.raw.signal);
  throw invalidValue(
    nameHeader,
    `The header '${nameHeader}' must have 1 to 128 letters, digits and characters of "_.:-".`,
  );
}
