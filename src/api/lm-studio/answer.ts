import type {
  AnswerBlock,
  AnswerEvent,
  FinishedGeneration,
  Usage,
} from '../../engine/generation/generation.ts';
import { toErrorBody, type AppError } from '../../errors/errors.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { perSecond, type Stopwatch } from '../generation/stopwatch.ts';
import { namedEvents } from '../generation/wire/sse.ts';
import type { LmStudioEvent, LmStudioResult } from './chat-schema.ts';

export interface AnswerParts {
  readonly model: string;
  readonly stopwatch: Stopwatch;
  /** Keeps the answer where the request wants that, and gives back its id then. */
  readonly keep: (end: FinishedGeneration, blocks: readonly AnswerBlock[]) => Promise<string | undefined>;
}

const kindOf = ({ type }: AnswerBlock) => (type === 'thought' ? 'reasoning' : 'message');

export function toResult(
  { model, stopwatch }: AnswerParts,
  blocks: readonly AnswerBlock[],
  { promptTokens, completionTokens, reasoningTokens }: Usage,
  responseId?: string,
): LmStudioResult {
  const { totalMs, answerMs } = stopwatch.stop();
  return {
    model_instance_id: model,
    output: blocks.map((block) => ({ type: kindOf(block), content: block.text })),
    stats: {
      input_tokens: promptTokens,
      total_output_tokens: completionTokens,
      reasoning_output_tokens: reasoningTokens,
      tokens_per_second: perSecond(completionTokens, answerMs),
      time_to_first_token_seconds: (totalMs - answerMs) / 1000,
    },
    ...(responseId !== undefined && { response_id: responseId }),
  };
}

export class LmStudioStream implements StreamedAnswer<AnswerEvent, FinishedGeneration> {
  readonly #parts: AnswerParts;
  readonly #blocks: AnswerBlock[] = [];

  constructor(parts: AnswerParts) {
    this.#parts = parts;
  }

  begin(): string {
    const { model } = this.#parts;
    return write({ type: 'chat.start', model_instance_id: model }, { type: 'prompt_processing.start' });
  }

  add(event: AnswerEvent): string {
    if (event.type === 'progress')
      return write({
        type: 'prompt_processing.progress',
        progress: event.processedTokens / event.promptTokens,
      });
    if (event.type === 'started') return write({ type: 'prompt_processing.end' });
    const kind = kindOf(event.block);
    if (event.type === 'delta')
      return event.text === '' ? '' : write({ type: `${kind}.delta`, content: event.text });
    if (event.type === 'open') this.#blocks.push(event.block);
    return write({ type: event.type === 'open' ? `${kind}.start` : `${kind}.end` });
  }

  async *end(end: FinishedGeneration): AsyncIterable<string> {
    const id = await this.#parts.keep(end, this.#blocks);
    yield write({ type: 'chat.end', result: toResult(this.#parts, this.#blocks, end.usage, id) });
  }

  fail(error: AppError, usage: Usage): string {
    const { type, message, code, param } = toErrorBody(error).error;
    const result = toResult(this.#parts, this.#blocks, usage);
    return write({ type: 'error', error: { type, message, code, param } }, { type: 'chat.end', result });
  }
}

const write = (...events: readonly LmStudioEvent[]): string => namedEvents(events);
