import { expect } from 'vitest';
import { messageEvent, type Message, type MessageEvent } from '../../../src/api/messages/operation.ts';
import { jsonRequest } from '../fakes/http-service.ts';

/** The least that the endpoint takes. */
export const helloMessage = { model: 'tiny', max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] };

/** A POST of `changes` on the least request, as Anthropic's clients send it. */
export function messageRequest(
  changes: object | string = {},
  { path = '/v1/messages', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): [string, RequestInit] {
  const body = typeof changes === 'string' ? changes : { ...helloMessage, ...changes };
  return jsonRequest(path, body, { headers: { 'anthropic-version': '2023-06-01', ...headers } });
}

/** The error of a response in Anthropic's shape, after checking that it is whole. */
export async function readAnthropicError(response: Response): Promise<{ type: string; message: string }> {
  const body = (await response.json()) as { error: { type: string; message: string } };
  expect(body).toEqual({
    type: 'error',
    error: { type: expect.any(String), message: expect.stringMatching(/[.?]$/) },
    request_id: response.headers.get('request-id'),
  });
  expect(response.headers.get('x-request-id')).toBe(response.headers.get('request-id'));
  return body.error;
}

export async function expectAnthropicError(
  response: Response,
  status: number,
  type: string,
): Promise<string> {
  const error = await readAnthropicError(response);
  expect({ status: response.status, type: error.type }).toEqual({ status, type });
  return error.message;
}

/** The events of a whole stream, each checked against its name and its schema; pings are left out. */
export function readMessageEvents(text: string): MessageEvent[] {
  const blocks = text.split('\n\n');
  expect(blocks.pop()).toBe('');
  const events = blocks.map((block) => {
    const [, name, data = ''] = /^event: (\S+)\ndata: ([^\n]*)$/.exec(block) ?? [];
    const { data: event, error } = messageEvent.safeParse(JSON.parse(data));
    expect(error, data).toBeUndefined();
    expect(event?.type).toBe(name);
    return JSON.parse(data) as MessageEvent;
  });
  return events.filter(({ type }) => type !== 'ping');
}

/** The message that `events` add up to. Fails at the first event that cannot come where it comes. */
export function toMessage(events: readonly MessageEvent[]): Message {
  const [start, ...rest] = events;
  if (start?.type !== 'message_start') throw new Error('a stream begins with message_start');
  const message = structuredClone(start.message);
  expect(message).toMatchObject({ content: [], stop_reason: null });
  let open: number | undefined;
  let input = '';
  const blockAt = (index: number) => {
    expect(index).toBe(open);
    const block = message.content[index];
    if (block === undefined) throw new Error('an event of a block that did not begin');
    return block;
  };
  for (const [position, event] of rest.entries()) {
    switch (event.type) {
      case 'content_block_start':
        expect(open).toBeUndefined();
        expect(message.content.push(structuredClone(event.content_block)) - 1).toBe(event.index);
        open = event.index;
        input = '';
        break;
      case 'content_block_delta': {
        const block = blockAt(event.index);
        const { delta } = event;
        if (block.type === 'text' && delta.type === 'text_delta') block.text += delta.text;
        else if (block.type === 'text' && delta.type === 'citations_delta')
          block.citations.push(delta.citation);
        else if (block.type === 'thinking' && delta.type === 'thinking_delta')
          block.thinking += delta.thinking;
        else if (block.type === 'thinking' && delta.type === 'signature_delta')
          block.signature = delta.signature;
        else if (block.type === 'tool_use' && delta.type === 'input_json_delta') input += delta.partial_json;
        else throw new Error(`a ${delta.type} in a block of type ${block.type}`);
        break;
      }
      case 'content_block_stop': {
        const block = blockAt(event.index);
        if (block.type === 'tool_use' && input !== '') block.input = JSON.parse(input) as typeof block.input;
        open = undefined;
        break;
      }
      case 'message_delta':
        expect(open).toBeUndefined();
        expect(position).toBe(rest.length - 2);
        Object.assign(message, event.delta);
        Object.assign(message.usage, event.usage);
        break;
      case 'message_stop':
        expect(position).toBe(rest.length - 1);
        break;
      case 'message_start':
      case 'ping':
      case 'error':
        throw new Error(`${event.type} cannot come there`);
      default:
        event satisfies never;
    }
  }
  expect(rest.at(-1)?.type).toBe('message_stop');
  return message;
}
