import type { FinishReason, GenerationEvent, Usage } from '../../../engine/types.ts';
import type { AppError } from '../../../errors/errors.ts';
import type { FinishedEnd, StreamedAnswer, WholeAnswer } from '../../generation/serve-generation.ts';
import { dataEvent, doneEvent } from '../../generation/sse.ts';
import type { ResponseEvent } from './event-schema.ts';
import type { ResponseEvents } from './response-events.ts';
import type { ResponseObject } from '../response-schema.ts';

/** A response that is being generated. */
export interface RunningResponse {
  readonly events: ResponseEvents;
  /** Facts that are known only when the generation has ended. */
  readonly ending: () => { readonly store: boolean; readonly atSeconds: number };
  /** Stores the complete response if the request asked for that. */
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
    return writeEvents(this.#response.events.begin());
  }

  add(event: GenerationEvent): string {
    return writeEvents(this.#response.events.add(event));
  }

  *end(end: Finished): Iterable<string> {
    const { events, ending, keep } = this.#response;
    yield writeEvents(events.finish(end, ending()));
    // Before the last event: the client may continue the response as soon as it has that.
    keep();
    yield writeEvents(events.end()) + doneEvent;
  }

  fail(error: AppError, usage: Usage): string {
    return writeEvents(this.#response.events.fail(error, usage)) + doneEvent;
  }
}

/** The events as server-sent events, which are named by their types. */
export function writeEvents(events: readonly ResponseEvent[]): string {
  return events.map((event) => `event: ${event.type}\n${dataEvent(JSON.stringify(event))}`).join('');
}
