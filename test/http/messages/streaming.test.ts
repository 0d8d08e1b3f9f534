import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/api/messages/operation.ts';
import { AppError } from '../../../src/errors/errors.ts';
import type { Script } from '../../support/fakes/fake-engine.ts';
import { buildApp } from '../../support/fakes/http-service.ts';
import { messageRequest, readMessageEvents, toMessage } from '../../support/wire/messages.ts';

async function send(script: Script, changes: object = {}) {
  const { app, engine } = buildApp();
  engine.script = script;
  const response = await app.request(...messageRequest(changes));
  expect(response.status).toBe(200);
  return response;
}

const stream = async (script: Script, changes: object = {}) => {
  const response = await send(script, { stream: true, ...changes });
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  return readMessageEvents(await response.text());
};

/** The same answer, but for the ids that are new each time. */
const comparable = (message: Message): unknown =>
  JSON.parse(JSON.stringify(message).replaceAll(/"(msg|toolu)_\w{24}"/g, '"$1"'));

const answers: readonly (Script & { readonly name: string })[] = [
  { name: 'text', steps: [{ text: 'Hel' }, { text: '' }, { text: 'lo\n\n"\u2028🎉' }], promptTokens: 9, cachedTokens: 5 },
  { name: 'nothing', steps: [] },
  { name: 'a thought and text', steps: [{ reasoning: 'H' }, { reasoning: '' }, { reasoning: 'm' }, { text: 'So.' }] },
  { name: 'a cut thought', steps: [{ reasoning: 'Hm' }], finishReason: 'length' },
  { name: 'a stopped text', steps: [{ text: 'Hel' }], stopSequence: 'lo' },
  { name: 'calls', steps: [{ call: 'f' }, { arguments: '{"a"' }, { arguments: '' }, { arguments: ':1}' }, { call: 'g' }, { call: 'f' }, { arguments: '{}' }], finishReason: 'tool_calls' },
  { name: 'text, a call and text', steps: [{ text: 'a' }, { call: 'f' }, { arguments: '{}' }, { text: 'b' }], finishReason: 'tool_calls' },
]; // prettier-ignore

describe.each(answers)('a stream of $name', (script) => {
  it('is a legal sequence of events that adds up to the answer in one piece', async () => {
    const whole = (await (await send(script)).json()) as Message;
    expect(comparable(toMessage(await stream(script)))).toEqual(comparable(whole));
  });
});

it('streams exactly the events of Anthropic', async () => {
  const steps = [{ reasoning: 'Hm' }, { text: 'So' }, { call: 'f' }, { arguments: '{"a":1}' }];
  const events = await stream({ steps, finishReason: 'tool_calls', cachedTokens: 3 });
  const usage = {
    input_tokens: 4,
    cache_read_input_tokens: 3,
    cache_creation_input_tokens: 0,
    output_tokens: 4,
    output_tokens_details: { thinking_tokens: 1 },
    server_tool_use: null,
  };
  const notEnded = { container: null, stop_details: null, stop_sequence: null };
  expect(events).toEqual([
    {
      type: 'message_start',
      message: {
        id: expect.any(String),
        type: 'message',
        role: 'assistant',
        model: 'tiny',
        content: [],
        ...notEnded,
        stop_reason: null,
        diagnostics: null,
        usage: {
          ...usage,
          output_tokens: 0,
          output_tokens_details: { thinking_tokens: 0 },
          cache_creation: null,
          inference_geo: null,
          service_tier: 'standard',
          speed: null,
        },
      },
    },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm' } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: expect.any(String) },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '', citations: [] } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'So' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: {
        type: 'tool_use',
        id: expect.any(String),
        caller: { type: 'direct' },
        name: 'f',
        input: {},
      },
    },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { ...notEnded, stop_reason: 'tool_use' }, usage },
    { type: 'message_stop' },
  ]);
});

it('sends no thought that the client does not want to see', async () => {
  const script = { steps: [{ reasoning: 'secret' }, { text: 'So' }] };
  const events = await stream(script, {
    model: 'thinker',
    thinking: { type: 'adaptive', display: 'omitted' },
  });
  expect(events.flatMap((event) => (event.type === 'content_block_delta' ? [event.delta.type] : []))).toEqual(
    ['signature_delta', 'text_delta'],
  );
});

it('pings a client that waits', async () => {
  const { app, engine } = buildApp({ streamPingMs: 10 });
  engine.script = { steps: [{ text: 'a' }, { waitMs: 100 }, { text: 'b' }] };
  const text = await (await app.request(...messageRequest({ stream: true }))).text();
  expect(text).toContain('event: ping\ndata: {"type":"ping"}\n\n');
  expect(toMessage(readMessageEvents(text)).content).toMatchObject([{ text: 'ab' }]);
});

describe('a stream whose first event is late', () => {
  const late = { queued: [{ waitMs: 100 }], steps: [{ text: 'a' }] };

  it('begins with pings', async () => {
    const { app, engine, limiter } = buildApp({ streamPingMs: 10 });
    engine.script = late;
    const text = await (await app.request(...messageRequest({ stream: true }))).text();
    expect(text).toMatch(/^event: ping\n/);
    expect(toMessage(readMessageEvents(text)).content).toMatchObject([{ text: 'a' }]);
    expect(limiter.settlements).toMatchObject([{ status: 200, completionTokens: 1 }]);
  });

  it('ends with an event where there is no answer then', async () => {
    const { app, engine, limiter } = buildApp({ streamPingMs: 10 });
    const error = new AppError('server_overloaded', 'No slot became free in time.');
    engine.script = { ...late, queued: [...late.queued, { fail: error }] };
    const response = await app.request(...messageRequest({ stream: true }));
    expect(response.status).toBe(200);
    const events = readMessageEvents(await response.text());
    expect(events).toMatchObject([{ type: 'error', error: { type: 'overloaded_error' } }]);
    expect(limiter.settlements).toMatchObject([{ refundRequest: true }]);
  });
});
