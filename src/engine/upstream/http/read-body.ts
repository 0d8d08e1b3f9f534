import type { UpstreamResponse } from './decoded.ts';
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import { nextTurn } from '../../../timing/next-turn.ts';
import { AddressFailure, invalidAnswer } from '../failures.ts';

/** Between two pieces of an answer that has begun. */
const idleTimeoutMs = 60_000;
/** Time that a server has to end an answer after its last event. */
const lingerMs = 1000;
/** Raw bytes of one stream: enough for a context full of tokens with 20 alternatives each. */
const mostStreamBytes = 2 ** 28;
/** No event of an answer is longer, log-probabilities included. */
const mostEventCharacters = 2 ** 20;
/** Characters of a stream that comes all at once after which other requests have a turn. */
const turnCharacters = 2 ** 15;

export interface StreamReading {
  /** An error that it throws ends the reading. True: the stream is complete, and the rest is not read. */
  readonly onEvent: (event: EventSourceMessage) => boolean;
  /** The longest time until the first event, and between two events. */
  readonly timeoutMs: number;
  readonly startedAtMs: number;
}

/**
 * Resolves when a stream of server-sent events is complete or has ended. Throws AddressFailure when it takes too long, is
 * too large or breaks off.
 */
export function readEvents(response: UpstreamResponse, reading: StreamReading): Promise<void> {
  const { onEvent, timeoutMs, startedAtMs } = reading;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let bytes = 0;
  let lastEventAtMs = startedAtMs;
  let isComplete = false;
  const expire = (): void => fail(new AddressFailure('silent', 'it stopped answering'));
  let timer = setTimeout(expire, Math.max(0, startedAtMs + timeoutMs - performance.now()));
  const fail = (error: unknown): void => {
    clearTimeout(timer);
    if (!isComplete) reject(error);
    response.destroy();
  };
  const parser = createEventParser((event) => {
    if (isComplete) return;
    if (lastEventAtMs === startedAtMs) {
      clearTimeout(timer);
      timer = setTimeout(expire, Math.min(idleTimeoutMs, timeoutMs));
    }
    lastEventAtMs = performance.now();
    isComplete = onEvent(event);
    if (!isComplete) return;
    resolve();
    // The connection is used again if the server ends the answer here as it should.
    clearTimeout(timer);
    timer = setTimeout(() => response.destroy(), lingerMs).unref();
  });
  const shareTurns = turnSharing(response);
  response.setEncoding('utf8');
  response.on('data', (piece: string) => {
    // Buffered pieces come even after the response is destroyed.
    if (response.destroyed) return;
    try {
      bytes += piece.length;
      if (bytes > mostStreamBytes) throw invalidAnswer(`it has more than ${mostStreamBytes} bytes`);
      parser.feed(piece);
    } catch (error) {
      fail(error);
      return;
    }
    shareTurns(piece);
    if (isComplete || lastEventAtMs === startedAtMs) return;
    // Comments keep a connection open, but not for ever.
    if (performance.now() - lastEventAtMs > timeoutMs) expire();
    else timer.refresh();
  });
  const broken = (cause?: Error): void => {
    if (!response.readableEnded) fail(new AddressFailure('silent', 'it closed the connection', { cause }));
  };
  response.once('error', broken);
  response.once('close', broken);
  response.once('end', () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}

/** Puts server-sent events together from pieces of text. `feed` throws AddressFailure where an event is too long. */
export function createEventParser(onEvent: (event: EventSourceMessage) => void): EventSourceParser {
  return createParser({
    onEvent,
    maxBufferSize: mostEventCharacters,
    onError({ type }) {
      if (type !== 'max-buffer-size-exceeded') return;
      throw invalidAnswer(`one event has more than ${mostEventCharacters} characters`);
    },
  });
}

/** A function that is told of each piece of `response`, which it pauses where much comes at once. */
function turnSharing(response: UpstreamResponse): (piece: string) => void {
  let characters = 0;
  return (piece) => {
    characters += piece.length;
    if (characters < turnCharacters) return;
    characters = 0;
    response.pause();
    void nextTurn().then(() => response.resume());
  };
}

/** The whole body as text. Throws AddressFailure where it has more than `mostBytes`, breaks off or takes too long. */
export async function readWhole(
  response: UpstreamResponse,
  mostBytes: number,
  timeoutMs: number,
): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const timer = setTimeout(
    () => response.destroy(new AddressFailure('silent', 'it stopped answering')),
    timeoutMs,
  );
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > mostBytes) throw invalidAnswer(`it has more than ${mostBytes} bytes`);
      pieces.push(piece);
      timer.refresh();
    }
  } catch (cause) {
    if (cause instanceof AddressFailure) throw cause;
    throw new AddressFailure('silent', 'it closed the connection', { cause });
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(pieces).toString('utf8');
}
