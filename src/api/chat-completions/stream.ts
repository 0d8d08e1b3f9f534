import type { GenerationEnd, GenerationEvent } from '../../engine/types.ts';
import { toAppError } from '../../errors.ts';
import type { AppError } from '../../errors.ts';
import type { Meter } from '../metering.ts';
import { doneEvent, errorEvent } from '../sse.ts';
import { createChunkWriter } from './chunk-writer.ts';
import type { ChunkWriter } from './chunk-writer.ts';
import { toWireLogprobs, toWireUsage } from './convert-answer.ts';
import type { CompletionIdentity } from '../completion-identity.ts';
import { createWireId } from '../wire-id.ts';

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
 * The server-sent events of one chat completion: role, what the model says, finish, usage if asked for, [DONE].
 * Never throws: a failure is its last event. Ends without one when the client has left.
 */
export async function* toChatEvents(stream: ChatStream): AsyncGenerator<string> {
  const { events, meter } = stream;
  const chunk = createChunkWriter(stream.identity, stream.includeUsage);
  const deltas = new DeltaWriter(chunk, stream.withLogprobs);
  yield chunk.role();
  try {
    for (;;) {
      const { value: event, done } = await events.next();
      if (done === true) break;
      if (event.type === 'started') continue;
      meter.noteOutput();
      const text = deltas.write(event);
      if (text !== '') yield text;
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
  // A call that the maximum cut off may be only a part of one: it is left as it came.
  const rest = end.finishReason === 'length' ? '' : deltas.completeCall();
  yield rest + chunk.finish(end.finishReason);
  if (stream.includeUsage) yield chunk.usage(JSON.stringify(toWireUsage(end.usage)));
  yield doneEvent;
}

/** Turns events into chunks, '' for those that change nothing. */
class DeltaWriter {
  readonly #chunk: ChunkWriter;
  readonly #withLogprobs: boolean;
  /** The call that has no arguments yet. */
  #emptyCall: number | undefined;

  constructor(chunk: ChunkWriter, withLogprobs: boolean) {
    this.#chunk = chunk;
    this.#withLogprobs = withLogprobs;
  }

  write(event: Exclude<GenerationEvent, { type: 'started' }>): string {
    switch (event.type) {
      case 'text': {
        if (event.text === '' && event.logprobs.length === 0) return '';
        const logprobs = this.#withLogprobs ? JSON.stringify(toWireLogprobs(event.logprobs)) : 'null';
        return this.#chunk.text(event.text, logprobs);
      }
      case 'reasoning':
        return event.text === '' ? '' : this.#chunk.reasoning(event.text);
      case 'tool-call': {
        const before = this.completeCall();
        this.#emptyCall = event.index;
        return before + this.#chunk.call(event.index, createWireId('call'), event.name);
      }
      case 'tool-arguments':
        if (event.text === '') return '';
        this.#emptyCall = undefined;
        return this.#chunk.callArguments(event.index, event.text);
      default:
        return event satisfies never;
    }
  }

  /** The arguments of a call that ended without any. */
  completeCall(): string {
    if (this.#emptyCall === undefined) return '';
    const text = this.#chunk.callArguments(this.#emptyCall, '{}');
    this.#emptyCall = undefined;
    return text;
  }
}
