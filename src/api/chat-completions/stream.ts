import type { GenerationEvent } from '../../engine/types.ts';
import type { AppError } from '../../errors/errors.ts';
import { createChunkWriter, toWireUsage } from '../generation/completion-wire.ts';
import type { CompletionHead } from '../generation/completion-wire.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { doneEvent, errorEvent } from '../generation/sse.ts';
import { TextInputReader } from '../parameters/custom-tools.ts';
import { createWireId } from '../generation/wire-id.ts';
import { toWireCall, toWireCustomCall, toWireLogprobs, toWireReasoning } from './convert-answer.ts';
import type { ChatOptions, FinishedGeneration } from './convert-answer.ts';

/** The chunks of one chat completion: role, what the model says, finish, usage if asked for, [DONE]. */
export class ChatStream implements StreamedAnswer<GenerationEvent, FinishedGeneration> {
  readonly #options: ChatOptions;
  readonly #writeChunk: ReturnType<typeof createChunkWriter>;
  /** Index of the last call, as long as it has no arguments. */
  #emptyCall: number | undefined;
  /** Reads the text of the last call, where its tool takes free text. */
  #textInput: TextInputReader | undefined;

  constructor(head: CompletionHead, options: ChatOptions) {
    this.#options = options;
    this.#writeChunk = createChunkWriter(head, options);
  }

  begin(): string {
    return this.#write({ role: 'assistant', content: '' });
  }

  add(event: GenerationEvent): string {
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
        const before = this.#completeCall();
        const isCustom = this.#options.customTools.has(name);
        this.#textInput = isCustom ? new TextInputReader() : undefined;
        this.#emptyCall = isCustom ? undefined : index;
        const id = createWireId('call');
        const call = isCustom ? toWireCustomCall(id, name, '') : toWireCall({ id, name, arguments: '' });
        return before + this.#write({ tool_calls: [{ index, ...call }] });
      }
      case 'tool-arguments':
        if (event.text === '') return '';
        this.#emptyCall = undefined;
        return this.#textInput === undefined
          ? this.#writeArguments(event.index, event.text)
          : this.#writeInput(event.index, this.#textInput.read(event.text));
      default:
        return event satisfies never;
    }
  }

  *end({ finishReason, usage }: FinishedGeneration): Iterable<string> {
    // A call that reached the maximum of tokens may be incomplete: it stays as it is.
    const rest = finishReason === 'length' ? '' : this.#completeCall();
    yield rest + this.#write({}, null, finishReason);
    if (this.#options.includeUsage) yield this.#writeChunk('[]', JSON.stringify(toWireUsage(usage)));
    yield doneEvent;
  }

  fail(error: AppError): string {
    return errorEvent(error);
  }

  #write(delta: object, logprobs: object | null = null, finishReason: string | null = null): string {
    return this.#writeChunk(JSON.stringify([{ index: 0, delta, logprobs, finish_reason: finishReason }]));
  }

  #writeArguments(index: number, text: string): string {
    return this.#write({ tool_calls: [{ index, function: { arguments: text } }] });
  }

  #writeInput(index: number, input: string): string {
    return input === '' ? '' : this.#write({ tool_calls: [{ index, custom: { input } }] });
  }

  /** `{}` for a call that ended without arguments. */
  #completeCall(): string {
    if (this.#emptyCall === undefined) return '';
    const text = this.#writeArguments(this.#emptyCall, '{}');
    this.#emptyCall = undefined;
    return text;
  }
}
