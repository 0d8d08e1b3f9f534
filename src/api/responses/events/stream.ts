import type { FinishReason, Usage } from '../../../engine/generation.ts';
import type { AppError } from '../../../errors/errors.ts';
import type { FinishedEnd, StreamedAnswer, WholeAnswer } from '../../generation/serve-generation.ts';
import { doneEvent, namedEvents } from '../../generation/wire/sse.ts';
import type { LoopEvent } from '../mcp/loop-events.ts';
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
export class WholeResponse implements WholeAnswer<LoopEvent, Finished> {
  readonly #response: RunningResponse;

  constructor(response: RunningResponse) {
    this.#response = response;
  }

  add(event: LoopEvent): void {
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
export class StreamedResponse implements StreamedAnswer<LoopEvent, Finished> {
  readonly #response: RunningResponse;

  constructor(response: RunningResponse) {
    this.#response = response;
  }

  begin(): string {
    return namedEvents(this.#response.events.begin());
  }

  add(event: LoopEvent): string {
    return namedEvents(this.#response.events.add(event));
  }

  *end(end: Finished): Iterable<string> {
    const { events, ending, keep } = this.#response;
    yield namedEvents(events.finish(end, ending()));
    // Before the last event: the client may continue the response as soon as it has that.
    keep();
    yield namedEvents(events.end()) + doneEvent;
  }

  fail(error: AppError, usage: Usage): string {
    return namedEvents(this.#response.events.fail(error, usage)) + doneEvent;
  }
}
