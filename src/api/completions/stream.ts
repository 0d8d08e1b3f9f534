import type { FinishReason, Usage } from '../../engine/generation.ts';
import type { AppError } from '../../errors/errors.ts';
import {
  ChunkWriter,
  type CompletionHead,
  type CompletionOptions,
} from '../generation/wire/completion-wire.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { errorEvent } from '../generation/wire/sse.ts';
import { ChoiceReader, toWireChoice, type ChoicePart } from './convert-answer.ts';
import type { FinishedGroup, GroupEvent } from './generation-group.ts';

const nothing: ChoicePart = { text: '', logprobs: null };

/**
 * The chunks of a completion: texts of all prompts in the order in which they are generated, the finish of each
 * choice, usage if asked for, [DONE].
 */
export class CompletionStream implements StreamedAnswer<GroupEvent, FinishedGroup> {
  readonly #options: CompletionOptions;
  readonly #chunks: ChunkWriter;
  readonly #readers = new Map<number, ChoiceReader>();

  constructor(head: CompletionHead, options: CompletionOptions) {
    this.#options = options;
    this.#chunks = new ChunkWriter(head, options);
  }

  begin(): string {
    return '';
  }

  add(event: GroupEvent, usage: Usage): string {
    this.#chunks.usage = usage;
    const { index } = event;
    if (event.type === 'finished') return this.#write(index, nothing, event.finishReason);
    const reader = this.#readers.get(index) ?? new ChoiceReader(this.#options);
    this.#readers.set(index, reader);
    const part = reader.read(event);
    return part === undefined ? '' : this.#write(index, part, null);
  }

  end({ usage }: FinishedGroup): Iterable<string> {
    return this.#chunks.end(usage);
  }

  fail(error: AppError): string {
    return errorEvent(error);
  }

  #write(index: number, part: ChoicePart, finishReason: FinishReason | null): string {
    return this.#chunks.write(toWireChoice(index, part, finishReason));
  }
}
