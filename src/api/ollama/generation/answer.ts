import { callsOf, readArguments, textOf } from '../../../engine/generation/answer.ts';
import type {
  FinishedGeneration,
  AnswerBlock,
  AnswerDocument,
  AnswerEvent,
} from '../../../engine/generation/generation.ts';
import type { JsonObject } from '../../../engine/types.ts';
import type { AppError } from '../../../errors/errors.ts';
import type { Stopwatch } from '../../generation/stopwatch.ts';
import type { StreamedAnswer } from '../../generation/serve-generation.ts';
import { linesType, ollamaDialect, toLine } from '../dialect.ts';
import { toStatistics } from './statistics.ts';

interface OllamaCall {
  readonly function: { readonly name: string; readonly arguments: JsonObject };
}

export interface AnswerPart {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly OllamaCall[];
}

export interface AnswerShape {
  readonly model: string;
  readonly nowMs: () => number;
  readonly stopwatch: Stopwatch;
  /** The fields of a part at this route. */
  readonly toFields: (part: AnswerPart) => object;
}

export function toMessage({ text, thinking, calls }: AnswerPart): object {
  const message = {
    role: 'assistant',
    content: text,
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return { message };
}

/** The fields of a part of /api/generate, where no tools are. */
export function toResponse({ text, thinking }: AnswerPart): object {
  return { response: text, ...(thinking !== '' && { thinking }) };
}

const nothing: AnswerPart = { text: '', thinking: '', calls: [] };

export const toObject =
  (shape: AnswerShape) =>
  (end: FinishedGeneration, { blocks }: AnswerDocument): object => {
    const thinking = textOf(blocks, 'thought');
    return toEnd(shape, { text: textOf(blocks, 'text'), thinking, calls: readCalls(blocks) }, end);
  };

/** The lines of a streamed answer. A call comes in one line, once its arguments are complete. */
export class AnswerLines implements StreamedAnswer<AnswerEvent, FinishedGeneration> {
  readonly contentType = linesType;
  readonly #shape: AnswerShape;

  constructor(shape: AnswerShape) {
    this.#shape = shape;
  }

  add(event: AnswerEvent): string {
    if (event.type === 'delta' && event.text !== '') {
      if (event.block.type === 'text') return this.#line({ text: event.text });
      if (event.block.type === 'thought') return this.#line({ thinking: event.text });
    }
    const calls = event.type === 'close' ? readCalls([event.block]) : [];
    return calls.length > 0 ? this.#line({ calls }) : '';
  }

  end(end: FinishedGeneration): Iterable<string> {
    return [toLine(toEnd(this.#shape, nothing, end))];
  }

  fail(error: AppError): string {
    return toLine(ollamaDialect.toErrorBody(error, ''));
  }

  #line(part: Partial<AnswerPart>): string {
    return toLine({ ...toHead(this.#shape, { ...nothing, ...part }), done: false });
  }
}

function toHead({ model, nowMs, toFields }: AnswerShape, part: AnswerPart) {
  return { model, created_at: new Date(nowMs()).toISOString(), ...toFields(part) };
}

function toEnd(shape: AnswerShape, part: AnswerPart, { finishReason, usage }: FinishedGeneration): object {
  const done_reason = finishReason === 'length' ? 'length' : 'stop';
  return { ...toHead(shape, part), done: true, done_reason, ...toStatistics(shape.stopwatch, usage) };
}

/** The calls among `blocks`, without one that was cut off. */
const readCalls = (blocks: readonly AnswerBlock[]): readonly OllamaCall[] =>
  callsOf(blocks).flatMap((call) => {
    const given = readArguments(call);
    return given === undefined ? [] : [{ function: { name: call.name, arguments: given } }];
  });
