import type { FinishReason, GenerationEvent, Usage } from '../../../engine/types.ts';
import type { AppError } from '../../../errors.ts';
import type { FinishedEnd, StreamedAnswer, WholeAnswer } from '../../generation/serve-generation.ts';
import { dataEvent, doneEvent } from '../../generation/sse.ts';
import type { ResponseEvent } from './event-schema.ts';
import type { ResponseEvents } from './response-events.ts';
import type { ResponseObject } from '../response-schema.ts';

/** A response that is being generated, and what becomes of it. */
export interface RunningResponse {
  readonly events: ResponseEvents;
  /** What is known only when the generation has ended. */
  readonly ending: () => { readonly store: boolean; readonly atSeconds: number };
  /** Keeps the complete response where that was asked for. */
  readonly keep: () => void;
}

interface Finished extends FinishedEnd {
  readonly finishReason: FinishReason;
}

/** A response in one piece. */
export class WholeResponse implements WholeAnswer<GenerationEvent, Finished> {
  readonly #response: RunningResponse;

  constructor(response: RunningResponse) {
    this.#response = response;
  }

  add(event: GenerationEvent): void {
    this.#response.events.add(event);
  }

  body(end: Finished): ResponseObject {
    const { events, ending, keep } = this.#response;
    events.finish(end, ending());
    keep();
    return events.response;
  }
}

/** The server-sent events of one response, ending with [DONE]. */
export class StreamedResponse implements StreamedAnswer<GenerationEvent, Finished> {
  readonly #response: RunningResponse;

  constructor(response: RunningResponse) {
    this.#response = response;
  }

  begin(): string {
    return write(this.#response.events.begin());
  }

  add(event: GenerationEvent): string {
    return write(this.#response.events.add(event));
  }

  *end(end: Finished): Iterable<string> {
    const { events, ending, keep } = this.#response;
    yield write(events.finish(end, ending()));
    // Before the client hears that it is complete, and may want to continue it.
    keep();
    yield write(events.end()) + doneEvent;
  }

  fail(error: AppError, usage: Usage): string {
    return write(this.#response.events.fail(error, usage)) + doneEvent;
  }
}

/** Events with their types as names. */
function write(events: readonly ResponseEvent[]): string {
  return events.map((event) => `event: ${event.type}\n${dataEvent(JSON.stringify(event))}`).join('');
}
