import type { FinishReason, GeneratedTokenLogprob, Usage } from '../../../engine/generation.ts';
import { toErrorBody } from '../../../errors/errors.ts';
import type { AppError } from '../../../errors/errors.ts';
import type { ResponseEvent } from './event-schema.ts';
import type { OutputItem } from '../items/items.ts';
import type { LoopEvent } from '../mcp/loop-events.ts';
import { closingEvents, openingEvents, type UnnumberedEvent } from './item-events.ts';
import {
  newCall,
  newMcpCall,
  newMessage,
  newReasoning,
  OpenItem,
  type FinalStatus,
  type ThoughtOptions,
} from './open-item.ts';
import type { ResponseObject, ResponseUsage } from '../response-schema.ts';
import type { OfferedTool } from '../tools/offered-tools.ts';

/**
 * Converts the engine's events to those of one response, and to the response itself. Order of calls: `begin`, any
 * number of `add`, then `finish` and `end`; `fail` may replace the remaining calls.
 */
export class ResponseEvents {
  readonly #thoughts: ThoughtOptions;
  readonly #tools: readonly OfferedTool[];
  readonly #closed: OutputItem[] = [];
  #response: ResponseObject;
  #open: OpenItem | undefined;
  #sequence = 0;

  /** `response` is in progress, without output. It begins with the items `first`, which are complete. */
  constructor(
    response: ResponseObject,
    {
      thoughts,
      tools,
      first = [],
    }: { thoughts: ThoughtOptions; tools: readonly OfferedTool[]; first?: readonly OutputItem[] },
  ) {
    this.#response = response;
    this.#thoughts = thoughts;
    this.#tools = tools;
    this.#closed.push(...first);
  }

  /** The items that are complete. */
  get items(): readonly OutputItem[] {
    return this.#closed;
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
      ...this.#closed.flatMap((item, index) => [
        ...openingEvents(item, index),
        ...closingEvents(item, index),
      ]),
    ]);
  }

  add(event: LoopEvent): ResponseEvent[] {
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
      events.push(...this.#start(newMessage()));
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

  #toEvents(event: LoopEvent): UnnumberedEvent[] {
    switch (event.type) {
      case 'started':
        return [];
      case 'text':
        if (event.text === '' && event.logprobs.length === 0) return [];
        return this.#write('message', newMessage, event.text, event.logprobs);
      case 'reasoning':
        if (event.text === '') return [];
        return this.#write('reasoning', () => newReasoning(this.#thoughts.place), event.text);
      case 'tool-call': {
        const called = this.#tools.find(({ name }) => name === event.name)?.called;
        return this.#start(newCall(called ?? { kind: 'function', name: event.name }));
      }
      case 'tool-arguments':
        if (this.#open === undefined) throw new TypeError('arguments of a call that did not begin');
        return event.text === '' ? [] : this.#open.write(event.text);
      case 'approved-call': {
        const { server_label: label, name, arguments: args, id } = event.request;
        const started = this.#start(newMcpCall(label, name, id));
        return [...started, ...(this.#open?.write(args) ?? [])];
      }
      case 'call-ended':
        this.#open?.settle(event.outcome);
        return this.#close('completed');
      case 'turn-ended':
        return this.#close('completed');
      default:
        return event satisfies never;
    }
  }

  /** The events of `text` in the open item if that is of the kind, otherwise in a new one. */
  #write(
    type: OutputItem['type'],
    create: () => OutputItem,
    text: string,
    logprobs?: readonly GeneratedTokenLogprob[],
  ): UnnumberedEvent[] {
    const started = this.#open?.type === type ? [] : this.#start(create());
    return [...started, ...(this.#open?.write(text, logprobs) ?? [])];
  }

  #start(empty: OutputItem): UnnumberedEvent[] {
    const events = this.#close('completed');
    this.#open = new OpenItem(this.#closed.length, empty, { packsThought: this.#thoughts.packed });
    return [...events, ...this.#open.open()];
  }

  #close(status: FinalStatus): UnnumberedEvent[] {
    if (this.#open === undefined) return [];
    const { item, events } = this.#open.close(status);
    this.#closed.push(item);
    this.#open = undefined;
    return events;
  }

  get #hasAnswer(): boolean {
    const types = [...this.#closed, ...(this.#open === undefined ? [] : [this.#open])].map(
      ({ type }) => type,
    );
    return types.some((type) => !['reasoning', 'mcp_list_tools', 'mcp_call'].includes(type));
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
