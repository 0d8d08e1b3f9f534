import type { FinishReason, GenerationEvent, Usage } from '../../../engine/generation.ts';
import { toErrorBody } from '../../../errors/errors.ts';
import type { AppError } from '../../../errors/errors.ts';
import type { ResponseEvent } from './event-schema.ts';
import type { OutputItem } from '../items/items.ts';
import { openCall } from '../items/open-calls.ts';
import type { OpenCall } from '../items/open-calls.ts';
import { OpenMessage, OpenReasoning } from '../items/output-items.ts';
import type { FinalStatus, OpenItem, UnnumberedEvent } from '../items/output-items.ts';
import type { ResponseObject, ResponseUsage } from '../response-schema.ts';
import type { OfferedTool } from '../tools/offered-tools.ts';

/**
 * Converts the engine's events to those of one response, and to the response itself. Order of calls: `begin`, any
 * number of `add`, then `finish` and `end`; `fail` may replace the remaining calls.
 */
export class ResponseEvents {
  readonly #withPackedThought: boolean;
  readonly #tools: readonly OfferedTool[];
  readonly #closed: OutputItem[] = [];
  #response: ResponseObject;
  #open: OpenItem | undefined;
  #openCall: OpenCall | undefined;
  #sequence = 0;

  /** `response` is in progress, without output. */
  constructor(
    response: ResponseObject,
    { withPackedThought, tools }: { withPackedThought: boolean; tools: readonly OfferedTool[] },
  ) {
    this.#response = response;
    this.#withPackedThought = withPackedThought;
    this.#tools = tools;
  }

  /** The response as it is after the last event. */
  get response(): ResponseObject {
    return this.#response;
  }

  begin(): ResponseEvent[] {
    const response = this.#response;
    return this.#number([
      { type: 'response.created', response },
      { type: 'response.in_progress', response },
    ]);
  }

  add(event: GenerationEvent): ResponseEvent[] {
    return this.#number(this.#toEvents(event));
  }

  /** The events that end the last item, which is incomplete if the maximum of tokens was reached. */
  finish(
    { finishReason, usage }: { finishReason: FinishReason; usage: Usage },
    { store, atSeconds }: { store: boolean; atSeconds: number },
  ): ResponseEvent[] {
    const isCutOff = finishReason === 'length';
    const events: UnnumberedEvent[] = [];
    // A model that generated nothing gets an empty message, unless it was cut off in its thought.
    if (!this.#hasAnswer && !(isCutOff && this.#open !== undefined)) {
      events.push(...this.#start(new OpenMessage(this.#nextIndex)));
    }
    events.push(...this.#close(isCutOff ? 'incomplete' : 'completed'));
    this.#response = {
      ...this.#response,
      status: isCutOff ? 'incomplete' : 'completed',
      incomplete_details: isCutOff ? { reason: 'max_output_tokens' } : null,
      completed_at: isCutOff ? null : atSeconds,
      output: this.#closed,
      usage: toWireUsage(usage),
      store,
    };
    return this.#number(events);
  }

  end(): ResponseEvent[] {
    const response = this.#response;
    const type = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed';
    return this.#number([{ type, response }]);
  }

  /** The events of a failure. The output so far stays in the response. A failed response is not stored. */
  fail(error: AppError, usage: Usage): ResponseEvent[] {
    this.#close('incomplete');
    const { message, code, param, type } = toErrorBody(error).error;
    this.#response = {
      ...this.#response,
      status: 'failed',
      incomplete_details: null,
      completed_at: null,
      error: { code: 'server_error', message },
      output: this.#closed,
      usage: toWireUsage(usage),
      store: false,
    };
    return this.#number([
      { type: 'error', message, code, param, error: { type, message, code, param } },
      { type: 'response.failed', response: this.#response },
    ]);
  }

  #toEvents(event: GenerationEvent): UnnumberedEvent[] {
    switch (event.type) {
      case 'started':
        return [];
      case 'text': {
        if (event.text === '' && event.logprobs.length === 0) return [];
        const { events, item } = this.#continueOr(OpenMessage, () => new OpenMessage(this.#nextIndex));
        return [...events, ...item.write(event.text, event.logprobs)];
      }
      case 'reasoning': {
        if (event.text === '') return [];
        const withPacked = this.#withPackedThought;
        const { events, item } = this.#continueOr(
          OpenReasoning,
          () => new OpenReasoning(this.#nextIndex, { withPacked }),
        );
        return [...events, ...item.write(event.text)];
      }
      case 'tool-call':
        return this.#startCall(event.name);
      case 'tool-arguments':
        if (this.#openCall === undefined) throw new TypeError('arguments of a call that did not begin');
        return event.text === '' ? [] : this.#openCall.write(event.text);
      default:
        return event satisfies never;
    }
  }

  /** The open item if it is of that kind, otherwise a new one and the events that begin it. */
  #continueOr<Kind extends OpenItem>(
    kind: abstract new (...args: never[]) => Kind,
    create: () => Kind,
  ): { item: Kind; events: UnnumberedEvent[] } {
    if (this.#open instanceof kind) return { item: this.#open, events: [] };
    const item = create();
    return { item, events: this.#start(item) };
  }

  #startCall(name: string): UnnumberedEvent[] {
    const called = this.#tools.find((tool) => tool.name === name)?.called;
    const call = openCall(this.#nextIndex, called ?? { kind: 'function', name });
    const events = this.#start(call);
    this.#openCall = call;
    return events;
  }

  #start(item: OpenItem): UnnumberedEvent[] {
    const events = [...this.#close('completed'), ...item.open()];
    this.#open = item;
    return events;
  }

  #close(status: FinalStatus): UnnumberedEvent[] {
    if (this.#open === undefined) return [];
    const events = this.#open.close(status);
    this.#closed.push(this.#open.item);
    this.#open = undefined;
    this.#openCall = undefined;
    return events;
  }

  get #nextIndex(): number {
    return this.#closed.length + (this.#open === undefined ? 0 : 1);
  }

  get #hasAnswer(): boolean {
    const isThought = this.#open === undefined || this.#open instanceof OpenReasoning;
    return !isThought || this.#closed.some(({ type }) => type !== 'reasoning');
  }

  #number(events: readonly UnnumberedEvent[]): ResponseEvent[] {
    return events.map((event) => {
      const { type, ...fields } = event;
      return { type, sequence_number: this.#sequence++, ...fields } as ResponseEvent;
    });
  }
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
