import { toAppError } from '../../errors.ts';
import type { AppError } from '../../errors.ts';
import { toWireUsage } from '../chat-completions/convert-answer.ts';
import type { CompletionIdentity } from '../completion-identity.ts';
import type { Meter } from '../metering.ts';
import { dataEvent, doneEvent, errorEvent } from '../sse.ts';
import { ChoiceReader, toWireChoice, toWireIdentity } from './convert-answer.ts';
import type { ChoicePart } from './convert-answer.ts';
import type { GroupEnd, GroupEvent } from './generation-group.ts';

export interface CompletionStream {
  readonly identity: CompletionIdentity;
  readonly events: AsyncIterable<GroupEvent>;
  /** Resolves once the generations are charged. */
  readonly settled: Promise<GroupEnd>;
  readonly meter: Meter;
  readonly includeUsage: boolean;
  readonly withLogprobs: boolean;
  readonly requestId: string;
  /** Told about a failure after the first chunk, which the client sees as an event only. */
  onFailure(error: AppError): void;
}

/**
 * The server-sent events of completions, those of all prompts mixed as they come: texts, each choice's finish, usage
 * if asked for, [DONE]. Never throws: a failure is its last event. Ends without one when the client has left.
 */
export async function* toCompletionEvents(stream: CompletionStream): AsyncGenerator<string> {
  const { events, meter, withLogprobs, includeUsage } = stream;
  const writeChunk = createChunkWriter(stream.identity, includeUsage);
  const readers = new Map<number, ChoiceReader>();
  const end: ChoicePart = { text: '', logprobs: null };
  try {
    for await (const event of events) {
      const { index } = event;
      if (event.type === 'finished') {
        yield writeChunk([toWireChoice(index, end, event.finishReason)]);
        continue;
      }
      if (event.type === 'text') meter.noteOutput();
      const reader = readers.get(index) ?? new ChoiceReader({ withLogprobs });
      readers.set(index, reader);
      const part = reader.read(event);
      if (part !== undefined) yield writeChunk([toWireChoice(index, part, null)]);
    }
  } catch (thrown) {
    await stream.settled;
    const error = toAppError(thrown, stream.requestId);
    stream.onFailure(error);
    yield errorEvent(error);
    return;
  }
  const { outcome, usage } = await stream.settled;
  if (outcome !== 'finished') return;
  if (includeUsage) yield writeChunk([], toWireUsage(usage));
  yield doneEvent;
}

/** Builds the chunks of one stream; what is the same in all of them is serialised once. */
function createChunkWriter(identity: CompletionIdentity, includeUsage: boolean) {
  const head = JSON.stringify(toWireIdentity(identity)).slice(0, -1);
  return (choices: readonly object[], usage: object | null = null): string => {
    const tail = includeUsage ? `,"usage":${JSON.stringify(usage)}}` : '}';
    return dataEvent(`${head},"choices":${JSON.stringify(choices)}${tail}`);
  };
}
