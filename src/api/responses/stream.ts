import { toAppError } from '../../errors.ts';
import type { AppError } from '../../errors.ts';
import type { Meter } from '../metering.ts';
import type { FinishedEnd, StartedGeneration } from '../read-generation.ts';
import { dataEvent, doneEvent } from '../sse.ts';
import type { ResponseEvent } from './event-schema.ts';
import type { ResponseEvents } from './response-events.ts';

export interface ResponseStream extends StartedGeneration {
  readonly mapping: ResponseEvents;
  readonly meter: Meter;
  readonly requestId: string;
  /** Ends the last item; the response is then complete. */
  finish(end: FinishedEnd): ResponseEvent[];
  /** Keeps the complete response where that was asked for. */
  keep(): void;
  /** Told about a failure after the first event, which the client sees as events only. */
  onFailure(error: AppError): void;
}

/**
 * The server-sent events of one response, ending with [DONE].
 * Never throws: a failure is among its last events. Ends without one when the client has left.
 */
export async function* toServerSentEvents(stream: ResponseStream): AsyncGenerator<string> {
  const { events, mapping, meter } = stream;
  yield write(mapping.begin());
  try {
    for (;;) {
      const { value: event, done } = await events.next();
      if (done === true) break;
      if (event.type === 'started') continue;
      meter.noteOutput();
      const text = write(mapping.add(event));
      if (text !== '') yield text;
    }
    const end = await stream.settled;
    if (end.outcome !== 'finished') return;
    yield write(stream.finish(end));
    // Before the client hears that it is complete, and may want to continue it.
    stream.keep();
    yield write(mapping.end()) + doneEvent;
  } catch (thrown) {
    const { usage } = await stream.settled;
    const error = toAppError(thrown, stream.requestId);
    stream.onFailure(error);
    yield write(mapping.fail(error, usage)) + doneEvent;
  } finally {
    // Reached by a client that leaves, too: the engine then stops.
    await events.return?.();
  }
}

/** Events with their types as names. */
function write(events: readonly ResponseEvent[]): string {
  return events.map((event) => `event: ${event.type}\n${dataEvent(JSON.stringify(event))}`).join('');
}
