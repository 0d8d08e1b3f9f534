import type { FinishedGeneration, GenerationEvent } from '../../../engine/generation.ts';
import type { JsonValue } from '../../../engine/types.ts';
import type { AppError } from '../../../errors/errors.ts';
import type { StreamedAnswer, WholeAnswer } from '../../generation/serve-generation.ts';
import { linesType, ollamaDialect, toLine } from '../dialect.ts';
import type { Stopwatch } from './statistics.ts';

/** A call that the model made. */
interface OllamaCall {
  readonly function: { readonly name: string; readonly arguments: JsonValue };
}

/** A piece of an answer, or all of it. */
export interface AnswerPart {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly OllamaCall[];
}

export interface AnswerShape {
  /** The name in the request. */
  readonly model: string;
  readonly nowMs: () => number;
  readonly stopwatch: Stopwatch;
  /** The fields of a part at this route. */
  readonly toFields: (part: AnswerPart) => object;
}

/** The fields of a part of /api/chat. */
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

/** The lines of a streamed answer. A call comes in one line, once its arguments are complete. */
export class AnswerLines implements StreamedAnswer<GenerationEvent, FinishedGeneration> {
  readonly contentType = linesType;
  readonly #shape: AnswerShape;
  readonly #reader = new CallReader();

  constructor(shape: AnswerShape) {
    this.#shape = shape;
  }

  begin(): string {
    return '';
  }

  add(event: GenerationEvent): string {
    this.#shape.stopwatch.answer();
    const part = this.#reader.read(event);
    return part === undefined ? '' : toLine({ ...toHead(this.#shape, part), done: false });
  }

  *end(end: FinishedGeneration): Iterable<string> {
    const calls = this.#reader.finish();
    const part = { ...nothing, calls };
    if (calls.length > 0) yield toLine({ ...toHead(this.#shape, part), done: false });
    yield toLine(toEnd(this.#shape, nothing, end));
  }

  fail(error: AppError): string {
    return toLine(ollamaDialect.toErrorBody(error, ''));
  }
}

/** The whole answer as one object. */
export class AnswerObject implements WholeAnswer<GenerationEvent, FinishedGeneration> {
  readonly #shape: AnswerShape;
  readonly #reader = new CallReader();
  #text = '';
  #thinking = '';
  readonly #calls: OllamaCall[] = [];

  constructor(shape: AnswerShape) {
    this.#shape = shape;
  }

  add(event: GenerationEvent): void {
    this.#shape.stopwatch.answer();
    const part = this.#reader.read(event);
    if (part === undefined) return;
    this.#text += part.text;
    this.#thinking += part.thinking;
    this.#calls.push(...part.calls);
  }

  body(end: FinishedGeneration): object {
    const calls = [...this.#calls, ...this.#reader.finish()];
    return toEnd(this.#shape, { text: this.#text, thinking: this.#thinking, calls }, end);
  }
}

function toHead({ model, nowMs, toFields }: AnswerShape, part: AnswerPart) {
  return { model, created_at: new Date(nowMs()).toISOString(), ...toFields(part) };
}

function toEnd(shape: AnswerShape, part: AnswerPart, { finishReason, usage }: FinishedGeneration): object {
  const done_reason = finishReason === 'length' ? 'length' : 'stop';
  return { ...toHead(shape, part), done: true, done_reason, ...shape.stopwatch.finish(usage) };
}

/** Reads events into parts, and puts calls together. */
class CallReader {
  #open: { readonly name: string; arguments: string } | undefined;

  /** The part that `event` adds; undefined: none yet. */
  read(event: GenerationEvent): AnswerPart | undefined {
    switch (event.type) {
      case 'started':
        return undefined;
      case 'text':
        return event.text === '' ? undefined : { ...nothing, text: event.text };
      case 'reasoning':
        return event.text === '' ? undefined : { ...nothing, thinking: event.text };
      case 'tool-call': {
        const calls = this.finish();
        this.#open = { name: event.name, arguments: '' };
        return calls.length === 0 ? undefined : { ...nothing, calls };
      }
      case 'tool-arguments':
        if (this.#open !== undefined) this.#open.arguments += event.text;
        return undefined;
      default:
        return event satisfies never;
    }
  }

  /** The call that was read last; none where it was cut off by the maximum of tokens. */
  finish(): readonly OllamaCall[] {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return [];
    try {
      const given = JSON.parse(open.arguments) as JsonValue;
      return [{ function: { name: open.name, arguments: given } }];
    } catch {
      return [];
    }
  }
}
