import type { FinishedGeneration, GenerationEvent, Usage } from '../../engine/generation.ts';
import type { AppError } from '../../errors/errors.ts';
import { ChunkWriter } from '../generation/wire/completion-wire.ts';
import type { CompletionHead } from '../generation/wire/completion-wire.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { errorEvent } from '../generation/wire/sse.ts';
import { TextInputReader } from '../parameters/tools/custom-tools.ts';
import { createWireId } from '../generation/wire/wire-id.ts';
import { toWireCall, toWireCustomCall, toWireLogprobs, toWireReasoning } from './convert-answer.ts';
import type { ChatOptions } from './convert-answer.ts';

/** The chunks of one chat completion: role, what the model says, finish, usage if asked for, [DONE]. */
export class ChatStream implements StreamedAnswer<GenerationEvent, FinishedGeneration> {
  readonly #options: ChatOptions;
  readonly #chunks: ChunkWriter;
  /** Reads the text of the last call, where its tool takes free text. */
  #textInput: TextInputReader | undefined;

  constructor(head: CompletionHead, options: ChatOptions) {
    this.#options = options;
    this.#chunks = new ChunkWriter(head, options);
  }

  begin(usage: Usage): string {
    this.#chunks.usage = usage;
    return this.#write({ role: 'assistant', content: '' });
  }

  add(event: GenerationEvent, usage: Usage): string {
    this.#chunks.usage = usage;
    switch (event.type) {
      case 'started':
        return '';
      case 'text': {
        const { text, logprobs } = event;
        if (text === '' && logprobs.length === 0) return '';
        const { withLogprobs } = this.#options;
        return this.#write({ content: text }, withLogprobs ? toWireLogprobs(logprobs) : null);
      }
      case 'reasoning':
        return event.text === '' || !this.#options.withReasoning
          ? ''
          : this.#write(toWireReasoning(event.text));
      case 'tool-call': {
        const { index, name } = event;
        const isCustom = this.#options.customTools.has(name);
        this.#textInput = isCustom ? new TextInputReader() : undefined;
        const id = createWireId('call');
        const call = isCustom ? toWireCustomCall(id, name, '') : toWireCall({ id, name, arguments: '' });
        return this.#write({ tool_calls: [{ index, ...call }] });
      }
      case 'tool-arguments':
        if (event.text === '') return '';
        return this.#textInput === undefined
          ? this.#write({ tool_calls: [{ index: event.index, function: { arguments: event.text } }] })
          : this.#writeInput(event.index, this.#textInput.read(event.text));
      default:
        return event satisfies never;
    }
  }

  *end({ finishReason, usage }: FinishedGeneration): Iterable<string> {
    this.#chunks.usage = usage;
    yield this.#write({}, null, finishReason);
    yield* this.#chunks.end(usage);
  }

  fail(error: AppError): string {
    return errorEvent(error);
  }

  #write(delta: object, logprobs: object | null = null, finishReason: string | null = null): string {
    return this.#chunks.write({ index: 0, delta, logprobs, finish_reason: finishReason });
  }

  #writeInput(index: number, input: string): string {
    return input === '' ? '' : this.#write({ tool_calls: [{ index, custom: { input } }] });
  }
}
