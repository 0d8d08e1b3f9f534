import { expect } from 'vitest';
import { responseEvent } from '../../../src/api/responses/events/event-schema.ts';
import type { ResponseEvent } from '../../../src/api/responses/events/event-schema.ts';
import type { OutputItem } from '../../../src/api/responses/items/items.ts';
import type { ResponseObject } from '../../../src/api/responses/response-schema.ts';

/** The events of a whole stream of /v1/responses, each checked against its schema and all of them as a sequence. */
export function readResponseEvents(text: string): readonly ResponseEvent[] {
  const blocks = text.split('\n\n').filter((block) => block !== '' && !block.startsWith(':'));
  expect(blocks.pop()).toBe('data: [DONE]');
  const events = blocks.map((block) => {
    const [, name, data = ''] = /^event: (\S+)\ndata: ([^\n]*)$/.exec(block) ?? [];
    const event = JSON.parse(data) as ResponseEvent;
    expect(event.type).toBe(name);
    return event;
  });
  expectLegalEvents(events);
  return events;
}

/** The response in the last event; throws where that has none. */
export function finalResponse(events: readonly ResponseEvent[]): ResponseObject {
  const last = events.at(-1);
  if (last === undefined || !('response' in last)) throw new Error('the last event has no response');
  return last.response;
}

/** Fails where `events` are not those of one whole response: their shapes, numbers, order and contents. */
export function expectLegalEvents(events: readonly ResponseEvent[]): void {
  for (const [number, event] of events.entries()) {
    const { error } = responseEvent.safeParse(event);
    expect(error, `${event.type}: ${error?.message}`).toBeUndefined();
    expect(event.sequence_number).toBe(number);
  }
  const [created, inProgress, ...rest] = events;
  expect([created?.type, inProgress?.type]).toEqual(['response.created', 'response.in_progress']);
  if (created?.type !== 'response.created' || inProgress?.type !== 'response.in_progress') return;
  expect(created.response).toMatchObject({ status: 'in_progress', output: [], usage: null, error: null });
  expect(inProgress.response).toEqual(created.response);
  const checker = new SequenceChecker(created.response);
  for (const event of rest) checker.take(event);
  expect(checker.isOver).toBe(true);
}

interface OpenItem {
  readonly item: OutputItem;
  text: string;
  readonly logprobs: unknown[];
  readonly annotations: unknown[];
  /** How far the item's events have come. */
  stage: 'opened' | 'writing' | 'written' | 'part-done';
}

/** Follows a response from its second event to its last, and fails at the first event that cannot come there. */
class SequenceChecker {
  readonly #begun: ResponseObject;
  readonly #done: OutputItem[] = [];
  readonly #ids = new Set<string>();
  #open: OpenItem | undefined;
  #failed = false;
  isOver = false;

  constructor(begun: ResponseObject) {
    this.#begun = begun;
  }

  take(event: ResponseEvent): void {
    expect(this.isOver, `${event.type} after the end`).toBe(false);
    if (this.#failed) expect(event.type).toBe('response.failed');
    if ('item_id' in event) return this.#takePart(event);
    switch (event.type) {
      case 'response.created':
        throw new Error(`${event.type} comes once`);
      case 'response.in_progress':
        expect(event.prompt_progress, `${event.type} comes once but for the prompt's progress`).toBeDefined();
        expect(this.#open).toBeUndefined();
        return expect(event.response).toEqual({ ...this.#begun, output: this.#done });
      case 'response.output_item.added':
        return this.#add(event.output_index, event.item);
      case 'response.output_item.done':
        return this.#finishItem(event.output_index, event.item);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        return this.#end(event.type, event.response);
      case 'error': {
        const { message, code, param } = event;
        expect(event.error).toEqual({ type: expect.any(String) as string, message, code, param });
        this.#failed = true;
        return;
      }
      default:
        event satisfies never;
    }
  }

  #add(index: number, item: OutputItem): void {
    expect(this.#open, 'an item begins within another').toBeUndefined();
    expect(index).toBe(this.#done.length);
    if ('status' in item) expect(item.status).toBe('in_progress');
    expect(this.#ids).not.toContain(item.id);
    this.#ids.add(item.id);
    expect(item).toMatchObject(beginnings[item.type]);
    this.#open = { item, text: '', logprobs: [], annotations: [], stage: beginStages[item.type] };
  }

  #takePart(event: Extract<ResponseEvent, { item_id: string }>): void {
    const open = this.#open;
    if (open === undefined) throw new Error(`${event.type} outside of an item`);
    expect([event.output_index, event.item_id]).toEqual([this.#done.length, open.item.id]);
    if ('content_index' in event) expect(event.content_index).toBe(0);
    if ('summary_index' in event) expect(event.summary_index).toBe(0);
    switch (event.type) {
      case 'response.content_part.added':
      case 'response.reasoning_summary_part.added':
        expect(open.stage).toBe('opened');
        expect(event.part).toMatchObject({ type: this.#toPart(open)['type'], text: '' });
        expect('summary_index' in event).toBe(event.part.type === 'summary_text');
        open.stage = 'writing';
        return;
      case 'response.output_text.delta':
      case 'response.reasoning_text.delta':
      case 'response.reasoning_summary_text.delta':
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
      case 'response.mcp_call_arguments.delta':
        expect(open.stage).toBe('writing');
        expect(event.type).toBe(this.#deltaType(open));
        open.text += event.delta;
        if ('logprobs' in event) open.logprobs.push(...event.logprobs);
        return;
      case 'response.output_text.done':
        expect(event.logprobs).toEqual(open.logprobs);
        return this.#finishText(open, 'message', event.text);
      case 'response.output_text.annotation.added':
        expect(open.stage).toBe('writing');
        expect(event.annotation_index).toBe(open.annotations.push(event.annotation) - 1);
        return;
      case 'response.reasoning_text.done':
      case 'response.reasoning_summary_text.done':
        return this.#finishText(open, 'reasoning', event.text);
      case 'response.function_call_arguments.done':
        expect(open.item).toMatchObject({ name: event.name });
        return this.#finishText(open, 'function_call', event.arguments);
      case 'response.custom_tool_call_input.done':
        return this.#finishText(open, 'custom_tool_call', event.input);
      case 'response.mcp_call_arguments.done':
        return this.#finishText(open, 'mcp_call', event.arguments);
      case 'response.mcp_call.in_progress':
      case 'response.mcp_list_tools.in_progress':
        expect(open.text).toBe('');
        return;
      case 'response.mcp_call.completed':
      case 'response.mcp_call.failed':
      case 'response.mcp_list_tools.completed':
      case 'response.mcp_list_tools.failed':
        expect(event.type).toContain(open.item.type);
        expect(open.stage).toBe('written');
        return;
      case 'response.content_part.done':
      case 'response.reasoning_summary_part.done':
        expect(open.stage).toBe('written');
        expect(event.part).toEqual(this.#toPart(open));
        open.stage = 'part-done';
        return;
      default:
        event satisfies never;
    }
  }

  #finishText(open: OpenItem, type: OutputItem['type'], text: string): void {
    expect(open.item.type).toBe(type);
    expect(open.stage).toBe('writing');
    expect(text).toBe(open.text);
    open.stage = 'written';
  }

  #finishItem(index: number, item: OutputItem): void {
    const open = this.#open;
    if (open === undefined) throw new Error('an item ends that did not begin');
    expect(index).toBe(this.#done.length);
    expect(open.stage).toBe('content' in item ? 'part-done' : 'written');
    const endings =
      item.type === 'mcp_call' ? ['completed', 'incomplete', 'failed'] : ['completed', 'incomplete'];
    expect(endings).toContain(statusOf(item));
    const contents = this.#contentsOf(item, open);
    const packed = item.type === 'reasoning' && { encrypted_content: item.encrypted_content };
    expect(item).toEqual({
      ...open.item,
      ...contents,
      ...packed,
      ...('status' in item && { status: item.status }),
    });
    this.#done.push(item);
    this.#open = undefined;
  }

  #end(type: string, response: ResponseObject): void {
    const status = type.replace('response.', '');
    expect(this.#failed).toBe(status === 'failed');
    expect(response).toMatchObject({ ...this.#whatStays(), status });
    expect(response.usage).not.toBeNull();
    expect(response.completed_at === null).toBe(status !== 'completed');
    expect(response.incomplete_details).toEqual(
      status === 'incomplete' ? { reason: 'max_output_tokens' } : null,
    );
    if (status === 'failed') {
      expect(response.error).not.toBeNull();
      expect(response.output.slice(0, this.#done.length)).toEqual(this.#done);
    } else {
      expect(response.error).toBeNull();
      expect(this.#open, 'the response ends within an item').toBeUndefined();
      expect(response.output).toEqual(this.#done);
      // Only the last item of a response that was cut off can be a part.
      const statuses = this.#done.map((item) => (item.type === 'mcp_call' ? 'completed' : statusOf(item)));
      expect(statuses.slice(0, -1).every((each) => each === 'completed')).toBe(true);
      expect(statuses.at(-1)).toBe(status);
    }
    this.isOver = true;
  }

  #contentsOf(item: OutputItem, open: OpenItem): object {
    switch (item.type) {
      case 'function_call':
        return { arguments: open.text };
      case 'custom_tool_call':
        return { input: open.text };
      case 'tool_search_call':
        return { arguments: item.arguments };
      case 'mcp_call':
        return { arguments: open.text, output: item.output, error: item.error };
      case 'mcp_list_tools':
        return { tools: item.tools, error: item.error };
      case 'mcp_approval_request':
        return {};
      case 'message':
        return { content: [this.#toPart(open)] };
      case 'reasoning':
        return { [this.#asksForSummary ? 'summary' : 'content']: [this.#toPart(open)] };
      default:
        return item satisfies never;
    }
  }

  #deltaType({ item }: OpenItem): string | undefined {
    if (item.type !== 'reasoning') return deltaTypes[item.type];
    return `response.reasoning${this.#asksForSummary ? '_summary' : ''}_text.delta`;
  }

  #toPart({ item, text, logprobs, annotations }: OpenItem): Readonly<Record<string, unknown>> {
    if (item.type === 'message') return { type: 'output_text', text, annotations, logprobs };
    return { type: this.#asksForSummary ? 'summary_text' : 'reasoning_text', text };
  }

  get #asksForSummary(): boolean {
    return this.#begun.reasoning.summary !== null;
  }

  #whatStays(): Partial<ResponseObject> {
    const {
      status: _,
      completed_at: _at,
      incomplete_details: _why,
      error: _error,
      output: _output,
      ...rest
    } = this.#begun;
    const { usage: _usage, store: _store, ...same } = rest;
    return same;
  }
}

/** Items without a status are complete. */
const statusOf = (item: OutputItem) => ('status' in item ? item.status : 'completed');

const beginnings = {
  message: { content: [] },
  reasoning: { content: [], summary: [] },
  function_call: { arguments: '' },
  custom_tool_call: { input: '' },
  tool_search_call: { arguments: {} },
  mcp_call: { arguments: '', output: null, error: null },
  mcp_list_tools: { tools: [], error: null },
  mcp_approval_request: {},
} as const;

const beginStages = {
  message: 'opened',
  reasoning: 'opened',
  function_call: 'writing',
  custom_tool_call: 'writing',
  mcp_call: 'writing',
  // These have no pieces.
  tool_search_call: 'written',
  mcp_list_tools: 'written',
  mcp_approval_request: 'written',
} as const;

const deltaTypes = {
  message: 'response.output_text.delta',
  function_call: 'response.function_call_arguments.delta',
  custom_tool_call: 'response.custom_tool_call_input.delta',
  mcp_call: 'response.mcp_call_arguments.delta',
  tool_search_call: undefined,
  mcp_list_tools: undefined,
  mcp_approval_request: undefined,
} as const;
