import type { AppError } from '../../errors.ts';
import { toWireUsage } from '../chat-completions/convert-answer.ts';
import type { CompletionIdentity } from '../generation/completion-identity.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { dataEvent, doneEvent, errorEvent } from '../generation/sse.ts';
import { ChoiceReader, toWireChoice, toWireIdentity } from './convert-answer.ts';
import type { ChoicePart } from './convert-answer.ts';
import type { FinishedGroup, GroupEvent } from './generation-group.ts';

export interface CompletionStreamOptions {
  readonly includeUsage: boolean;
  readonly withLogprobs: boolean;
}

const nothing: ChoicePart = { text: '', logprobs: null };

/**
 * The chunks of completions, those of all prompts mixed as they come: texts, each choice's finish, usage if asked for,
 * [DONE].
 */
export class CompletionStream implements StreamedAnswer<GroupEvent, FinishedGroup> {
  readonly #options: CompletionStreamOptions;
  readonly #writeChunk: ReturnType<typeof createChunkWriter>;
  readonly #readers = new Map<number, ChoiceReader>();

  constructor(identity: CompletionIdentity, options: CompletionStreamOptions) {
    this.#options = options;
    this.#writeChunk = createChunkWriter(identity, options.includeUsage);
  }

  begin(): string {
    return '';
  }

  add(event: GroupEvent): string {
    const { index } = event;
    if (event.type === 'finished')
      return this.#writeChunk([toWireChoice(index, nothing, event.finishReason)]);
    const reader = this.#readers.get(index) ?? new ChoiceReader(this.#options);
    this.#readers.set(index, reader);
    const part = reader.read(event);
    return part === undefined ? '' : this.#writeChunk([toWireChoice(index, part, null)]);
  }

  *end({ usage }: FinishedGroup): Iterable<string> {
    if (this.#options.includeUsage) yield this.#writeChunk([], toWireUsage(usage));
    yield doneEvent;
  }

  fail(error: AppError): string {
    return errorEvent(error);
  }
}

/** Builds the chunks of one stream; what is the same in all of them is serialised once. */
function createChunkWriter(identity: CompletionIdentity, includeUsage: boolean) {
  const head = JSON.stringify(toWireIdentity(identity)).slice(0, -1);
  return (choices: readonly object[], usage: object | null = null): string => {
    const tail = includeUsage ? `,"usage":${JSON.stringify(usage)}}` : '}';
    return dataEvent(`${head},"choices":${JSON.stringify(choices)}${tail}`);
  };
}
