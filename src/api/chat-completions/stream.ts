import type { GenerationEvent } from '../../engine/types.ts';
import type { AppError } from '../../errors.ts';
import type { CompletionIdentity } from '../generation/completion-identity.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { doneEvent, errorEvent } from '../generation/sse.ts';
import { createWireId } from '../generation/wire-id.ts';
import { createChunkWriter } from './chunk-writer.ts';
import type { ChunkWriter } from './chunk-writer.ts';
import { toWireLogprobs, toWireUsage } from './convert-answer.ts';
import type { FinishedGeneration } from './convert-answer.ts';

export interface ChatStreamOptions {
  readonly includeUsage: boolean;
  readonly withLogprobs: boolean;
}

/** The chunks of one chat completion: role, what the model says, finish, usage if asked for, [DONE]. */
export class ChatStream implements StreamedAnswer<GenerationEvent, FinishedGeneration> {
  readonly #options: ChatStreamOptions;
  readonly #chunk: ChunkWriter;
  /** The call that has no arguments yet. */
  #emptyCall: number | undefined;

  constructor(identity: CompletionIdentity, options: ChatStreamOptions) {
    this.#options = options;
    this.#chunk = createChunkWriter(identity, options.includeUsage);
  }

  begin(): string {
    return this.#chunk.role();
  }

  add(event: GenerationEvent): string {
    switch (event.type) {
      case 'started':
        return '';
      case 'text': {
        if (event.text === '' && event.logprobs.length === 0) return '';
        const { withLogprobs } = this.#options;
        return this.#chunk.text(
          event.text,
          withLogprobs ? JSON.stringify(toWireLogprobs(event.logprobs)) : 'null',
        );
      }
      case 'reasoning':
        return event.text === '' ? '' : this.#chunk.reasoning(event.text);
      case 'tool-call': {
        const before = this.#completeCall();
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

  *end({ finishReason, usage }: FinishedGeneration): Iterable<string> {
    // A call that the maximum cut off may be only a part of one: it is left as it came.
    const rest = finishReason === 'length' ? '' : this.#completeCall();
    yield rest + this.#chunk.finish(finishReason);
    if (this.#options.includeUsage) yield this.#chunk.usage(JSON.stringify(toWireUsage(usage)));
    yield doneEvent;
  }

  fail(error: AppError): string {
    return errorEvent(error);
  }

  /** The arguments of a call that ended without any. */
  #completeCall(): string {
    if (this.#emptyCall === undefined) return '';
    const text = this.#chunk.callArguments(this.#emptyCall, '{}');
    this.#emptyCall = undefined;
    return text;
  }
}
