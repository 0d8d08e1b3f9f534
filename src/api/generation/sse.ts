import { toErrorBody } from '../../errors.ts';
import type { AppError } from '../../errors.ts';
import { nodeBindings } from '../env.ts';
import type { ApiSettings, AppContext } from '../env.ts';

const defaultPingMs = 15_000;
const defaultStallMs = 60_000;
const ping = Buffer.from(': ping\n\n');

/** The line that ends a complete stream. */
export const doneEvent = 'data: [DONE]\n\n';

/** An event that holds `json`, which must be without line breaks. */
export function dataEvent(json: string): string {
  return `data: ${json}\n\n`;
}

/** The event that ends a stream which failed after it began. */
export function errorEvent(error: AppError): string {
  return `event: error\ndata: ${JSON.stringify(toErrorBody(error))}\n\n`;
}

/**
 * A response that streams the events of `source`, which must not throw.
 * The source is read only as fast as the client takes what it gives. `leave` is called at once when the
 * client goes away, or takes nothing for so long that it must be gone: an iterator alone would learn it
 * only after its current wait.
 */
export function sseResponse(
  c: AppContext,
  source: AsyncIterator<string>,
  leave: () => void,
  settings: Pick<ApiSettings, 'streamPingMs' | 'streamStallMs'>,
): Response {
  const { outgoing } = nodeBindings(c);
  const body = createEventStream(
    source,
    {
      left: leave,
      stalled() {
        leave();
        outgoing?.destroy();
      },
    },
    settings.streamPingMs ?? defaultPingMs,
    settings.streamStallMs ?? defaultStallMs,
  );
  c.header('content-type', 'text/event-stream; charset=utf-8');
  c.header('cache-control', 'no-cache, no-transform');
  // nginx otherwise collects small writes.
  c.header('x-accel-buffering', 'no');
  return c.body(body);
}

interface StreamEnds {
  left(): void;
  stalled(): void;
}

/** The bytes of `source`'s events, with a comment line in each long silence. */
export function createEventStream(
  source: AsyncIterator<string>,
  ends: StreamEnds,
  pingMs: number,
  stallMs: number,
): ReadableStream<Uint8Array> {
  let waitingForSource = false;
  let stalledMs = 0;
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setInterval(() => {
          if (waitingForSource) {
            // Nothing queued, so the client took all there was: the silence is ours.
            if (controller.desiredSize !== null && controller.desiredSize >= 0) controller.enqueue(ping);
          } else {
            stalledMs += pingMs;
            if (stalledMs >= stallMs) {
              clearInterval(timer);
              ends.stalled();
            }
          }
        }, pingMs);
        timer.unref();
      },
      async pull(controller) {
        waitingForSource = true;
        stalledMs = 0;
        const { value, done } = await source.next();
        waitingForSource = false;
        // One timer for the whole stream, pushed back with each event.
        timer?.refresh();
        if (done === true) {
          clearInterval(timer);
          controller.close();
        } else {
          controller.enqueue(Buffer.from(value));
        }
      },
      async cancel() {
        clearInterval(timer);
        ends.left();
        // Not awaited: a generator returns only after its current wait, and nobody is waiting for this.
        void source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
