import { setTimeout } from 'node:timers/promises';
import { toErrorBody, type AppError } from '../../../errors/errors.ts';
import { nodeBindings, type ApiSettings, type AppContext } from '../../env.ts';

const defaultPingMs = 15_000;
const defaultStallMs = 60_000;
const eventStream = 'text/event-stream; charset=utf-8';
/** A comment, which only streams of events have. */
const pingComment = ': ping\n\n';

export const doneEvent = 'data: [DONE]\n\n';

/** An event with `json` as its data, which must have no line breaks. */
export function dataEvent(json: string): string {
  return `data: ${json}\n\n`;
}

export const jsonEvent = (data: object): string => dataEvent(JSON.stringify(data));

/** Events that are named by their types, with the whole of each as its data. */
export function namedEvents(events: readonly { readonly type: string }[]): string {
  return events.map((event) => `event: ${event.type}\n${jsonEvent(event)}`).join('');
}

export function errorEvent(error: AppError): string {
  return `event: error\n${jsonEvent(toErrorBody(error))}`;
}

/** Resolves after the longest silence of a stream. */
export function nextPing({
  streamPingMs = defaultPingMs,
}: Pick<ApiSettings, 'streamPingMs'>): Promise<undefined> {
  return setTimeout(streamPingMs, undefined, { ref: false });
}

/** How a stream looks, where it is not one of server-sent events with comments as pings. */
export interface StreamFormat {
  /** Default: that of server-sent events. */
  readonly contentType?: string;
  /** Sent during a long silence; default: a comment. Where it is set, it is also sent before a late first event. */
  readonly ping?: string;
}

/**
 * A response that streams the texts of `source`, which must not throw where there is a socket. `source` is read only as
 * fast as the client reads. `leave` is called immediately when the client disconnects or has read nothing for too long;
 * `source` itself would notice that only after its current wait.
 */
export function sseResponse(
  c: AppContext,
  source: AsyncIterator<string | Uint8Array>,
  leave: () => void,
  settings: Pick<ApiSettings, 'streamPingMs' | 'streamStallMs'>,
  { contentType = eventStream, ping = contentType === eventStream ? pingComment : '' }: StreamFormat = {},
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
    ping,
  );
  // The head of the response and the events that are there already go out in one write.
  const socket = outgoing?.socket;
  socket?.cork();
  setImmediate(() => socket?.uncork());
  c.header('content-type', contentType);
  c.header('cache-control', 'no-cache, no-transform');
  // nginx otherwise collects small writes.
  c.header('x-accel-buffering', 'no');
  return c.body(body);
}

interface StreamEnds {
  left(): void;
  stalled(): void;
}

/** The bytes of the events of `source`, with `ping` during each long silence; '': nothing. */
export function createEventStream(
  source: AsyncIterator<string | Uint8Array>,
  ends: StreamEnds,
  pingMs: number,
  stallMs: number,
  ping = pingComment,
): ReadableStream<Uint8Array> {
  const pingBytes = Buffer.from(ping);
  let waitingForSource = false;
  let stalledMs = 0;
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        timer = setInterval(() => {
          if (waitingForSource) {
            // The queue is empty, so the client has read everything and the server is the silent one.
            if (ping !== '' && (controller.desiredSize ?? -1) >= 0) controller.enqueue(pingBytes);
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
        // One timer serves the whole stream; every event restarts it.
        timer?.refresh();
        if (done === true) {
          clearInterval(timer);
          controller.close();
        } else {
          controller.enqueue(typeof value === 'string' ? Buffer.from(value) : value);
        }
      },
      async cancel() {
        clearInterval(timer);
        ends.left();
        // Not awaited, because a generator returns only after its current wait.
        void source.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
