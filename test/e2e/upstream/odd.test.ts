import { createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClient } from '../../support/server/chat-client.ts';
import {
  beginStream,
  endStream,
  sendJson,
  startHostileUpstream,
  writeChunk,
  type Behaviour,
} from '../../support/upstream/hostile-upstream.ts';
import type { RunningServer } from '../../support/server/start-server.ts';
import { startInFront, upstreamModel } from '../../support/upstream/upstream-fixture.ts';

const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 };

/** A stream of the answer by `write`, and its end. */
const streamed =
  (write: Behaviour, finish = 'stop'): Behaviour =>
  async (response, request) => {
    beginStream(response);
    await write(response, request);
    endStream(response, usage, finish);
  };

/** The behaviour of a server that compresses although nobody asked it to. */
const compressed = (encoding: string, type: string, pieces: readonly string[]): Behaviour => {
  const create = {
    gzip: createGzip,
    deflate: createDeflate,
    br: createBrotliCompress,
    zstd: createZstdCompress,
  };
  return async (response) => {
    response.writeHead(200, { 'content-type': type, 'content-encoding': encoding });
    const encoder = create[encoding as keyof typeof create]();
    encoder.pipe(response);
    for (const piece of pieces) {
      encoder.write(piece);
      await new Promise<void>((resolve) => encoder.flush(() => resolve()));
    }
    encoder.end();
  };
};
const chunkOf = (said: object) => JSON.stringify({ choices: [{ index: 0, ...said }] });

/** Ways in which servers say "Hello". */
const greetings: Readonly<Record<string, Behaviour>> = {
  'a reason that is empty until the end': streamed((response) => {
    for (const content of ['Hel', 'lo']) writeChunk(response, { content }, { finish_reason: '' });
  }),
  'a reason that is empty, in the form of texts': streamed((response) => {
    const choice = { index: 0, text: 'Hello', finish_reason: '' };
    response.write(`data: ${JSON.stringify({ choices: [choice] })}\n\n`);
  }),
  'no reason': (response) => {
    beginStream(response);
    writeChunk(response, { content: 'Hello' });
    response.end('data: [DONE]\n\n');
  },
  'events of other types': streamed((response) => {
    response.write('event: ping\ndata: {"type": "ping"}\n\nevent: heartbeat\ndata: now\n\n');
    writeChunk(response, { content: 'Hello' });
    response.write('data: {"type": "metrics", "queue": 3}\n\n');
  }),
  'a whole message in a chunk': streamed((response) => {
    const message = { role: 'assistant', content: 'Hello' };
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, message }] })}\n\n`);
  }),
  'a whole answer and no stream': (response) =>
    sendJson(response, 200, {
      choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }],
      usage,
      error: null,
    }),
  ...Object.fromEntries(
    ['', null, undefined].map((finish_reason) => [
      `a whole answer with the reason ${JSON.stringify(finish_reason)}`,
      (response) => sendJson(response, 200, { choices: [{ message: { content: 'Hello' }, finish_reason }] }),
    ]),
  ),
  'a whole text with an empty reason': (response) =>
    sendJson(response, 200, { choices: [{ index: 0, text: 'Hello', finish_reason: '' }] }),
  ...Object.fromEntries(
    ['gzip', 'deflate', 'br', 'zstd'].map((encoding) => [
      `a stream in ${encoding}`,
      compressed(encoding, 'text/event-stream', [
        `data: ${chunkOf({ delta: { content: 'Hel' } })}\n\n`,
        `data: ${chunkOf({ delta: { content: 'lo' }, finish_reason: 'stop' })}\n\ndata: [DONE]\n\n`,
      ]),
    ]),
  ),
  'a whole answer in gzip': compressed('gzip', 'application/json', [
    chunkOf({ message: { content: 'Hello' }, finish_reason: 'stop' }),
  ]),
  'a list of parts': streamed((response) => {
    writeChunk(response, {
      content: [
        { type: 'text', text: 'Hel' },
        { type: 'text', text: 'lo' },
      ],
    });
  }),
};

type Piece = Readonly<Record<string, unknown>>;
const callPieces = (...chunks: readonly (readonly Piece[])[]): Behaviour =>
  streamed((response) => {
    for (const chunk of chunks) {
      const calls = chunk.map(({ name, args, ...rest }) => ({
        ...rest,
        function: { ...(name !== undefined && { name }), arguments: args },
      }));
      writeChunk(response, { tool_calls: calls });
    }
  }, 'tool_calls');
const name = 'look';
const [first, second] = ['{"q":"a"}', '{"q":"b\\"}"}'];

/** Ways in which servers call `look` with `first` and `second`. */
const pairs: Readonly<Record<string, Behaviour>> = {
  'the index 0 for all': callPieces([{ index: 0, id: 'a', name, args: first }], [{ index: 0, id: 'b', name, args: second }]),
  'the index 0 and no ids': callPieces([{ index: 0, name, args: first }], [{ index: 0, name, args: second }]),
  'the index 0, no ids, in one chunk': callPieces([{ index: 0, id: '', name, args: first }, { index: 0, id: '', name, args: second }]),
  'no index, in pieces with ids': callPieces([{ id: 'a', name, args: '{"q":' }], [{ id: 'a', args: '"a"}' }], [{ id: 'b', name, args: '' }], [{ id: 'b', args: second }]),
  'no index, in pieces without ids': callPieces([{ id: 'a', name, args: '{"q":' }], [{ args: '"a"}' }], [{ id: 'b', name, args: second }]),
  'pieces in turns': callPieces(
    [{ index: 0, id: 'a', name, args: '{"q":' }, { index: 1, id: 'b', name, args: '{"q":"b' }],
    [{ index: 0, args: '"a"}' }, { index: 1, args: '\\"}"}' }],
  ),
  'names first': callPieces([{ index: 0, id: 'a', name, args: '' }, { index: 1, id: 'b', name, args: null }], [{ index: 1, args: second }], [{ index: 0, args: first }]),
  'its name and id with each piece': callPieces(
    [{ index: 0, id: 'a', name, args: '' }], [{ index: 0, id: 'a', name, args: '{"q":' }], [{ index: 0, id: 'a', name, args: '"a"}' }], [{ index: 1, id: 'b', name, args: second }],
  ),
  'one id for both': callPieces([{ index: 0, id: 'a', name, args: first }], [{ index: 1, id: 'a', name, args: second }]),
  'indices from 1': callPieces([{ index: 1, id: 'a', name, args: first }], [{ index: 2, id: 'b', name, args: second }]),
  'arguments that are no text': callPieces([{ index: 0, id: 'a', name, args: JSON.parse(first) as object }], [{ index: 1, id: 'b', name, args: JSON.parse(second) as object }]),
  'both in a message': streamed((response) => {
    const calls = [first, second].map((args, index) => ({ id: `${index}`, type: 'function', function: { name, arguments: args } }));
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, message: { content: null, tool_calls: calls } }] })}\n\n`);
  }, 'tool_calls'),
}; // prettier-ignore

const between = {
  'text between the pieces of a call': streamed((response) => {
    writeChunk(response, { tool_calls: [{ index: 0, id: 'a', function: { name, arguments: '{"q":' } }] });
    writeChunk(response, { content: 'so', reasoning_content: 'hm' });
    writeChunk(response, { tool_calls: [{ index: 0, function: { arguments: '"a"}' } }] });
    writeChunk(response, { content: '.' });
  }, 'tool_calls'),
};

const cut = {
  'the reason max_tokens': streamed((response) => writeChunk(response, { content: 'He' }), 'max_tokens'),
};

const stack = new AsyncDisposableStack();
let front: RunningServer;
const idOf = (title: string) => title.replaceAll(/[^a-z0-9]+/gi, '-');
beforeAll(async () => {
  const behaviours = Object.entries({ ...greetings, ...pairs, ...between, ...cut }).map(
    ([title, behave]) => [idOf(title), behave] as const,
  );
  const upstream = stack.use(await startHostileUpstream(Object.fromEntries(behaviours)));
  front = await startInFront(behaviours.map(([id]) => upstreamModel(id, upstream.url)));
  stack.defer(async () => void (await front.stop()));
});
afterAll(() => stack.disposeAsync());

async function post(path: string, body: object): Promise<Readonly<Record<string, never>>> {
  const response = await fetch(new URL(path, front.baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${front.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Readonly<Record<string, never>>;
}
const messages = [{ role: 'user' as const, content: 'Hi' }];
const parameters = { type: 'object', properties: { q: { type: 'string' } } };

describe('an upstream that says it in its own way', () => {
  it.each(Object.keys(greetings))('%s', async (title) => {
    const model = idOf(title);
    const client = openClient(front);
    const { choices } = await client.chat.completions.create({ model, messages });
    expect(choices[0]).toMatchObject({ message: { content: 'Hello' }, finish_reason: 'stop' });
    const completion = client.chat.completions.stream({ model, messages });
    expect((await completion.finalChatCompletion()).choices[0]?.message.content).toBe('Hello');
    expect((await client.responses.create({ model, input: 'Hi' })).output_text).toBe('Hello');
  });

  it.each([
    'a reason that is empty, in the form of texts',
    'a whole text with an empty reason',
    'a whole answer and no stream',
    'events of other types',
  ])('the text of a completion: %s', async (title) => {
    const model = idOf(title);
    const { choices } = await openClient(front).completions.create({ model, prompt: 'Hi' });
    expect(choices[0]).toMatchObject({ text: 'Hello', finish_reason: 'stop' });
  });

  it('the reason max_tokens', async () => {
    const model = idOf('the reason max_tokens');
    const { choices } = await openClient(front).chat.completions.create({ model, messages });
    expect(choices[0]?.finish_reason).toBe('length');
  });
});

it.each(Object.keys(between))('%s comes behind the call', async (title) => {
  const model = idOf(title);
  const tools = [{ type: 'function' as const, function: { name, parameters } }];
  const client = openClient(front);
  const { choices } = await client.chat.completions.create({ model, messages, tools });
  const tool_calls = [{ function: { name, arguments: first } }];
  expect(choices[0]?.message).toMatchObject({ content: 'so.', tool_calls });
  const stream = client.chat.completions.stream({ model, messages, tools });
  expect((await stream.finalChatCompletion()).choices[0]?.message).toMatchObject({ content: 'so.', tool_calls });
  const ofAnthropic = [{ name, input_schema: parameters }];
  const { content } = await post('/v1/messages', { model, messages, max_tokens: 50, tools: ofAnthropic });
  expect(content).toMatchObject([{ type: 'tool_use', input: { q: 'a' } }, { type: 'thinking' }, { type: 'text', text: 'so.' }]);
}); // prettier-ignore

describe('an upstream that calls two functions in its own way', () => {
  it.each(Object.keys(pairs))('%s', async (title) => {
    const model = idOf(title);
    const tools = [{ type: 'function' as const, function: { name, parameters } }];
    const expected = [first, second];
    const client = openClient(front);
    const { choices } = await client.chat.completions.create({ model, messages, tools });
    const called = choices[0]?.message.tool_calls?.map((one) =>
      'function' in one ? one.function.arguments : '',
    );
    expect([called, choices[0]?.finish_reason]).toEqual([expected, 'tool_calls']);
    const completion = client.chat.completions.stream({ model, messages, tools });
    const whole = (await completion.finalChatCompletion()).choices[0]?.message.tool_calls;
    expect(whole?.map((one) => ('function' in one ? one.function.arguments : ''))).toEqual(expected);
    const response = await client.responses.create({
      model,
      input: 'Hi',
      tools: [{ type: 'function', name, parameters, strict: false }],
    });
    expect(response.output.map((one) => one.type === 'function_call' && one.arguments)).toEqual(expected);
    const message = await post('/v1/messages', {
      model,
      messages,
      max_tokens: 50,
      tools: [{ name, input_schema: parameters }],
    });
    expect(message['content']).toMatchObject(
      expected.map((args) => ({ type: 'tool_use', input: JSON.parse(args) as object })),
    );
    const chat = await post('/api/chat', { model, messages, tools, stream: false });
    expect(chat['message']).toMatchObject({
      tool_calls: expected.map((args) => ({ function: { name, arguments: JSON.parse(args) as object } })),
    });
  });
});
