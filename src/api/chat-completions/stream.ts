import type { GenerationEnd, GenerationEvent } from '../../engine/types.ts';
import { toAppError } from '../../errors.ts';
import type { AppError } from '../../errors.ts';
import type { Meter } from '../metering.ts';
import { dataEvent, doneEvent, errorEvent } from '../sse.ts';
import { toWireLogprobs, toWireUsage } from './convert.ts';
import type { CompletionIdentity } from './convert.ts';

export interface ChatStream {
  readonly identity: CompletionIdentity;
  /** What is left of the generation's events after `started`. */
  readonly events: AsyncIterator<GenerationEvent>;
  /** Resolves once the generation is charged. */
  readonly settled: Promise<GenerationEnd>;
  readonly meter: Meter;
  readonly includeUsage: boolean;
  readonly withLogprobs: boolean;
  readonly requestId: string;
  /** Told about a failure after the first chunk, which the client sees as an event only. */
  onFailure(error: AppError): void;
}

/**
 * The server-sent events of one chat completion: role, texts, finish, usage if asked for, [DONE].
 * Never throws: a failure is its last event. Ends without one when the client has left.
 */
export async function* toChatEvents(stream: ChatStream): AsyncGenerator<string> {
  const { events, meter, withLogprobs } = stream;
  const chunk = createChunkWriter(stream.identity, stream.includeUsage);
  yield chunk.role();
  try {
    for (;;) {
      const { value: event, done } = await events.next();
      if (done === true) break;
      if (event.type !== 'text') continue;
      meter.noteOutput();
      if (event.text === '' && event.logprobs.length === 0) continue;
      yield chunk.text(event.text, withLogprobs ? JSON.stringify(toWireLogprobs(event.logprobs)) : 'null');
    }
  } catch (thrown) {
    await stream.settled;
    const error = toAppError(thrown, stream.requestId);
    stream.onFailure(error);
    yield errorEvent(error);
    return;
  } finally {
    // Reached by a client that leaves, too: the engine then stops.
    await events.return?.();
  }
  const end = await stream.settled;
  if (end.outcome !== 'finished') return;
  yield chunk.finish(end.finishReason);
  if (stream.includeUsage) yield chunk.usage(JSON.stringify(toWireUsage(end.usage)));
  yield doneEvent;
}

/** Builds the chunks of one completion; what is the same in all of them is serialised once. */
function createChunkWriter(identity: CompletionIdentity, includeUsage: boolean) {
  const head = JSON.stringify({
    id: identity.id,
    object: 'chat.completion.chunk',
    created: identity.createdSeconds,
    model: identity.model,
    system_fingerprint: identity.systemFingerprint,
  }).slice(0, -1);
  const tail = includeUsage ? ',"usage":null}' : '}';
  const start = `${head},"choices":[{"index":0,"delta":`;
  const choice = (delta: string, logprobs: string, finishReason: string): string =>
    dataEvent(`${start}${delta},"logprobs":${logprobs},"finish_reason":${finishReason}}]${tail}`);
  return {
    role: () => choice('{"role":"assistant","content":""}', 'null', 'null'),
    text: (text: string, logprobs: string) => choice(`{"content":${JSON.stringify(text)}}`, logprobs, 'null'),
    finish: (reason: string) => choice('{}', 'null', `"${reason}"`),
    usage: (usage: string) => dataEvent(`${head},"choices":[],"usage":${usage}}`),
  };
}
