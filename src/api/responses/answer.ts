import type {
  FinishedGeneration,
  GeneratedTokenLogprob,
  ProgressEvent,
  Usage,
  TextBlock,
} from '../../engine/generation/generation.ts';
import { toErrorBody, type AppError } from '../../errors/errors.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { toWireTokens } from '../generation/wire/completion-wire.ts';
import { toPromptProgress } from '../generation/wire/prompt-progress.ts';
import { doneEvent, namedEvents } from '../generation/wire/sse.ts';
import { TextInputReader } from '../parameters/tools/custom-tools.ts';
import { annotate, FileAnnotations, type FileQuotes } from './events/file-annotations.ts';
import { courseOf, numbered, type UnnumberedEvent } from './events/item-events.ts';
import { beginItem, completeItem, type ItemOptions } from './events/output-item.ts';
import type { OutputItem } from './items/items.ts';
import type { LoopBlock, LoopEvent } from './mcp/served-call.ts';
import type { ResponseObject, ResponseUsage } from './response-schema.ts';

export interface ResponseOptions extends ItemOptions {
  readonly quotes: FileQuotes;
  /** In progress, without output. */
  readonly begun: ResponseObject;
  /** The complete items with which the output begins. */
  readonly first: readonly OutputItem[];
  /** Facts that are known only when the generation has ended. */
  readonly ending: () => { readonly store: boolean; readonly atSeconds: number };
  /** Stores the complete response if the request asked for that. */
  readonly keep: (response: ResponseObject) => Promise<void>;
}

export const toResponse =
  (options: ResponseOptions) =>
  async (
    end: FinishedGeneration,
    { blocks }: { readonly blocks: readonly LoopBlock[] },
  ): Promise<ResponseObject> => {
    const toItem = async (block: LoopBlock) => {
      const annotations = block.type === 'text' ? await annotate(block.text, options.quotes) : [];
      return completeItem(beginItem(block, options), block, options, annotations);
    };
    const output = [...options.first];
    for (const block of blocks) output.push(await toItem(block));
    const missing = missingText(output, blocks.at(-1), end);
    const response = finished(options, missing ? [...output, await toItem(missing)] : output, end);
    await options.keep(response);
    return response;
  };

export class ResponseStream implements StreamedAnswer<LoopEvent, FinishedGeneration> {
  readonly #options: ResponseOptions;
  /** The items that are complete. */
  readonly #output: OutputItem[];
  #last: LoopBlock | undefined;
  /** The item of the last block, unless it is complete. */
  #open: OutputItem | undefined;
  /** Reads the text of the last call, where its tool takes free text. */
  #textInput = new TextInputReader();
  /** Of the text that is open. */
  #annotations: FileAnnotations;
  #sequence = 0;

  constructor(options: ResponseOptions) {
    this.#options = options;
    this.#annotations = new FileAnnotations(options.quotes);
    this.#output = [...options.first];
  }

  begin(): string {
    const { begun: response, first } = this.#options;
    return this.#write([
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
      ...first.flatMap((item, index) => {
        const { opening, closing } = courseOf(item, index);
        return [...opening, ...closing];
      }),
    ]);
  }

  add(event: LoopEvent): string {
    if (event.type === 'open') return this.#write(this.#begin(event.block));
    if (event.type === 'delta') return this.#write(this.#grow(event.text, event.logprobs));
    if (event.type === 'progress') return this.#write([this.#toProgress(event)]);
    return event.type === 'close' ? this.#write(this.#complete(event.block)) : '';
  }

  async *end(end: FinishedGeneration): AsyncIterable<string> {
    const missing = missingText(this.#output, this.#last, end);
    if (missing !== undefined) yield this.#write([...this.#begin(missing), ...this.#complete(missing)]);
    const response = finished(this.#options, this.#output, end);
    // Before the last event: the client may continue the response as soon as it has that.
    await this.#options.keep(response);
    const type = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed';
    yield this.#write([{ type, response }]) + doneEvent;
  }

  /** The output so far stays in the response. A failed response is not stored. */
  fail(error: AppError, usage: Usage): string {
    if (this.#open !== undefined && this.#last !== undefined)
      this.#complete({ ...this.#last, isCutOff: true });
    const { message, code, param, type } = toErrorBody(error).error;
    const response: ResponseObject = {
      ...this.#options.begun,
      status: 'failed',
      error: { code: 'server_error', message },
      output: this.#output,
      usage: toWireUsage(usage),
      store: false,
    };
    return (
      this.#write([
        { type: 'error', message, code, param, error: { type, message, code, param } },
        { type: 'response.failed', response },
      ]) + doneEvent
    );
  }

  #toProgress(event: ProgressEvent): UnnumberedEvent {
    const response = { ...this.#options.begun, output: this.#output };
    const progress = event.processedTokens / event.promptTokens;
    return { type: 'response.in_progress', response, progress, prompt_progress: toPromptProgress(event) };
  }

  #begin(block: LoopBlock): readonly UnnumberedEvent[] {
    this.#last = block;
    this.#open = beginItem(block, this.#options);
    this.#textInput = new TextInputReader();
    this.#annotations = new FileAnnotations(this.#options.quotes);
    return courseOf(this.#open, this.#output.length).opening;
  }

  #grow(text: string, tokens: readonly GeneratedTokenLogprob[]): UnnumberedEvent[] {
    if (this.#open === undefined) return [];
    if (this.#open.type === 'message') this.#annotations.add(text);
    const isCustom = this.#open.type === 'custom_tool_call';
    const delta = isCustom ? this.#textInput.read(text) : text;
    const { grow } = courseOf(this.#open, this.#output.length);
    return grow === undefined || (isCustom && delta === '') ? [] : [grow(delta, toWireTokens(tokens))];
  }

  #complete(block: LoopBlock): readonly UnnumberedEvent[] {
    const begun = this.#open ?? beginItem(block, this.#options);
    const annotations = block.type === 'text' ? this.#annotations.end() : [];
    const item = completeItem(begun, block, this.#options, annotations);
    const index = this.#output.push(item) - 1;
    this.#open = undefined;
    // A call that needed approval and was cut off is shown only now.
    const { opening, closing } = courseOf(item, index);
    return item.type === begun.type ? closing : [...opening, ...closing];
  }

  #write(events: readonly UnnumberedEvent[]): string {
    const first = this.#sequence;
    this.#sequence += events.length;
    return namedEvents(numbered(events, first));
  }
}

/** Items that are no answer to the user. */
const notAnswers: readonly OutputItem['type'][] = ['reasoning', 'mcp_list_tools', 'mcp_call'];

/** A model that generated nothing gets an empty message, unless it was cut off in its last block. */
function missingText(
  output: readonly OutputItem[],
  last: LoopBlock | undefined,
  { finishReason }: FinishedGeneration,
): TextBlock | undefined {
  if (last?.isCutOff === true || output.some(({ type }) => !notAnswers.includes(type))) return undefined;
  return { type: 'text', text: '', logprobs: [], isCutOff: finishReason === 'length' };
}

/** The response at its end, which is incomplete if the maximum of tokens was reached. */
function finished(
  { begun, ending }: ResponseOptions,
  output: OutputItem[],
  { finishReason, usage }: FinishedGeneration,
): ResponseObject {
  const { store, atSeconds } = ending();
  const isCutOff = finishReason === 'length';
  return {
    ...begun,
    status: isCutOff ? 'incomplete' : 'completed',
    incomplete_details: isCutOff ? { reason: 'max_output_tokens' } : null,
    completed_at: isCutOff ? null : atSeconds,
    output,
    usage: toWireUsage(usage),
    store,
  };
}

/** `usage` as responses have it. */
export function toWireUsage(usage: Usage): ResponseUsage {
  return {
    input_tokens: usage.promptTokens,
    input_tokens_details: { cached_tokens: usage.cachedTokens, cache_write_tokens: 0 },
    output_tokens: usage.completionTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.promptTokens + usage.completionTokens,
  };
}
