import type { ServerResponse } from 'node:http';
import { createGzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClient, postChat } from '../../support/server/chat-client.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import type { RunningServer } from '../../support/server/start-server.ts';
import {
  beginStream,
  endStream,
  sendJson,
  startHostileUpstream,
  writeChunk,
  type Behaviour,
  type HostileUpstream,
} from '../../support/upstream/hostile-upstream.ts';
import { startInFront, upstreamModel } from '../../support/upstream/upstream-fixture.ts';
import { watchHealth } from '../../support/watch/health-watch.ts';
import { ledgerOf } from '../../support/watch/ledger.ts';

const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 };

/** Answers that take long to parse. */
const documents: Readonly<Record<string, () => string>> = {
  nested: () => '['.repeat(6 * 2 ** 20),
  'many-names': () => `[${Array.from({ length: 200_000 }, (_, index) => `{"name${index}":1}`).join(',')}]`,
};
const sendText = (response: ServerResponse, text: string): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(text);

/** Two seconds of a tone: 16-bit samples. */
const pcm = Buffer.from(
  Int16Array.from({ length: 48_000 }, (_, at) => Math.round(20_000 * Math.sin(at / 10))).buffer,
);
const beginSound = (response: ServerResponse, type = 'audio/pcm'): ServerResponse =>
  response.writeHead(200, { 'content-type': type });

const speakers: Readonly<Record<string, Behaviour>> = {
  'speaks-in-odd-pieces': (response) => {
    beginSound(response).write(pcm.subarray(0, 1001));
    setTimeout(() => response.end(pcm.subarray(1001)), 20);
  },
  'speaks-slower': (response) => void beginSound(response, 'audio/pcm; rate=16000').end(pcm),
  'speaks-mp3': (response) => void beginSound(response, 'audio/mpeg').end(pcm),
  'speaks-nothing': (response) => void beginSound(response).end(),
  'speaks-without-end': (response) => {
    beginSound(response);
    const timer = setInterval(() => response.write(pcm), 1);
    response.once('close', () => clearInterval(timer));
  },
  'speaks-half': (response) => {
    beginSound(response).write(pcm);
    setTimeout(() => response.destroy(), 20);
  },
  'knows-no-voice': (response) =>
    sendJson(response, 400, {
      error: {
        message: 'No such voice.',
        type: 'invalid_request_error',
        code: 'invalid_value',
        param: 'voice',
      },
    }),
};

const firstIsRead = Promise.withResolvers<void>();

const behaviours: Readonly<Record<string, Behaviour>> = {
  ...Object.fromEntries(
    Object.entries(documents).flatMap(([name, document]) => [
      [
        `counts-${name}`,
        (response: ServerResponse) => {
          beginStream(response);
          writeChunk(response, { content: 'Hello there' });
          endStream(response);
        },
      ],
      [`counts-${name} counts`, (response: ServerResponse) => sendText(response, document())],
      [`embeds-${name}`, (response: ServerResponse) => sendText(response, document())],
      [
        `streams-${name}`,
        (response: ServerResponse) => {
          beginStream(response);
          response.end(`data: ${document().slice(0, 2 ** 20 - 100)}\n\n`);
        },
      ],
    ]),
  ),
  'embeds-in-gzip-without-end': (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    const encoder = createGzip();
    encoder.pipe(response);
    const timer = setInterval(() => encoder.write(Buffer.alloc(2 ** 20, '[')), 5);
    response.once('close', () => clearInterval(timer));
  },
  'ignores-max-tokens': (response) => {
    beginStream(response);
    const timer = setInterval(() => writeChunk(response, { content: ' more' }), 2);
    response.once('close', () => clearInterval(timer));
  },
  'writes-at-once': (response) => {
    beginStream(response);
    writeChunk(response, { content: 'x'.repeat(100_000) });
    endStream(response, usage);
  },
  'waits-to-be-read': async (response) => {
    beginStream(response);
    writeChunk(response, { content: 'one' });
    await firstIsRead.promise;
    writeChunk(response, { content: ' two' });
    endStream(response, usage);
  },
  'thinks-and-calls': (response) => {
    beginStream(response);
    writeChunk(response, { reasoning_content: 'Hm' });
    // The token that ends the thought begins the text.
    writeChunk(response, { reasoning_content: '.' });
    writeChunk(response, { content: 'Yes' });
    writeChunk(response, { tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] });
    writeChunk(response, { tool_calls: [{ index: 0, function: { arguments: '{}' } }] });
    endStream(response, { ...usage, completion_tokens: 3 });
  },
};

const stack = new AsyncDisposableStack();
let upstream: HostileUpstream;
let front: RunningServer;
beforeAll(async () => {
  upstream = stack.use(await startHostileUpstream({ ...behaviours, ...speakers }));
  front = await startInFront([
    ...Object.keys(behaviours)
      .filter((id) => !id.includes(' '))
      .map((id) => upstreamModel(id, upstream.url)),
    ...Object.keys(speakers).map((id) => upstreamModel(id, upstream.url, {}, { kind: 'voice' })),
  ]);
  stack.defer(async () => void (await front.stop()));
});
afterAll(() => stack.disposeAsync());

const messages = [{ role: 'user' as const, content: 'the heron sleeps' }];
const lastCharge = () => ledgerOf(front).at(-1);

describe('an upstream that writes more than it may', () => {
  const ask = (model: string, maxTokens: number) =>
    openClient(front).chat.completions.create({ model, messages, max_tokens: maxTokens });

  it('is cut off there, loses its connection, and is charged for what it wrote', async () => {
    for (const maxTokens of [1, 5]) {
      const answer = await ask('ignores-max-tokens', maxTokens);
      expect(answer.choices[0]).toMatchObject({
        finish_reason: 'length',
        message: { content: ' more'.repeat(maxTokens) },
      });
      await upstream.requestsFor('ignores-max-tokens').at(-1)?.closed;
      expect(lastCharge()).toMatchObject({ completionTokens: maxTokens, usageSource: 'estimated' });
    }
  });

  it('is cut off where one piece is longer than the tokens that are left', async () => {
    const answer = await ask('writes-at-once', 8);
    expect(answer.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '' } });
    expect((await ask('writes-at-once', 100)).choices[0]?.message.content).toHaveLength(100_000);
  });

  it('is told from one whose tokens come as several pieces', async () => {
    const answer = await ask('thinks-and-calls', 3);
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: 'Yes', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] },
    });
    expect(answer.usage).toMatchObject({ completion_tokens: 3 });
  });
});

describe('an upstream that waits in the middle of an answer', () => {
  it('holds back nothing that it wrote, and each piece tells of the tokens so far', async () => {
    const stream = await openClient(front).chat.completions.create({
      model: 'waits-to-be-read',
      messages,
      stream: true,
      stream_options: { include_usage: true, continuous_usage_stats: true } as object,
    });
    const tokens: (number | undefined)[] = [];
    for await (const { choices, usage: soFar } of stream) {
      if (choices[0]?.delta.content) tokens.push(soFar?.completion_tokens);
      if (choices[0]?.delta.content === 'one') firstIsRead.resolve();
    }
    expect(tokens).toEqual([1, 2]);
  });
});

describe('an upstream whose answers take long to parse', () => {
  it.each(Object.keys(documents))('%s: holds up nobody, and they are no answers', async (name) => {
    // 50,000 words, so that a list of their tokens could be as long as these answers.
    const long = [{ role: 'user' as const, content: 'word '.repeat(50_000) }];
    const { delayMs } = await watchHealth(front, async () => {
      const model = `counts-${name}`;
      const answer = await openClient(front).chat.completions.create({ model, messages: long });
      expect(answer.choices[0]?.message.content).toBe('Hello there');
      expect(lastCharge()).toMatchObject({ modelId: model, usageSource: 'estimated' });
      await expectError(
        await postChat(front, { model: `streams-${name}`, messages }),
        'upstream_error',
        null,
      );
      const vectors = openClient(front).embeddings.create({
        model: `embeds-${name}`,
        input: Array.from({ length: 32 }, () => 'text'),
      });
      await expect(vectors).rejects.toMatchObject({ status: 502 });
    });
    expect(delayMs).toBeLessThan(300);
  });

  it('is cut off where it compresses more than an answer may have', async () => {
    const model = 'embeds-in-gzip-without-end';
    const vectors = openClient(front).embeddings.create({ model, input: 'text' }, { maxRetries: 0 });
    await expect(vectors).rejects.toMatchObject({ status: 502 });
    await upstream.requestsFor(model)[0]?.closed;
  });
});

describe('an upstream that speaks', () => {
  const speak = (model: string, changes: object = {}) =>
    fetch(new URL('/v1/audio/speech', front.baseUrl), {
      method: 'POST',
      headers: { authorization: `Bearer ${front.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, input: 'Hello there', response_format: 'pcm', ...changes }),
    });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  it('is asked for what the client wants, and its samples come through unchanged', async () => {
    const wishes = { voice: 'anna', language: 'en', instructions: 'softly', seed: 7 };
    expect(pcm.equals(await bytesOf(await speak('speaks-in-odd-pieces', wishes)))).toBe(true);
    expect(upstream.requestsFor('speaks-in-odd-pieces')[0]).toMatchObject({
      path: '/v1/audio/speech',
      body: { model: 'speaks-in-odd-pieces', input: 'Hello there', response_format: 'pcm', ...wishes },
    });
    expect(lastCharge()).toMatchObject({ promptTokens: 3, audioMs: 2000, usageSource: 'estimated' });
  });

  it('may tell another sample rate', async () => {
    const wav = await bytesOf(await speak('speaks-slower', { response_format: 'wav' }));
    expect([wav.readUInt32LE(24), wav.length]).toEqual([16_000, 44 + pcm.length]);
  });

  it('is refused where its answer is no PCM, and its own refusals are passed on', async () => {
    await expectError(await speak('speaks-mp3'), 'upstream_error');
    await expectError(await speak('speaks-nothing'), 'upstream_error');
    await expectError(await speak('knows-no-voice', { voice: 'bob' }), 'invalid_value', 'voice');
  });

  it('is cut off after more sound than the text can take, and charged for what came, as where it breaks off', async () => {
    await expect(speak('speaks-without-end').then(bytesOf)).rejects.toThrow();
    await upstream.requestsFor('speaks-without-end')[0]?.closed;
    const { audioMs = 0 } = lastCharge() ?? {};
    expect(audioMs).toBeGreaterThan(30_000);
    expect(audioMs).toBeLessThanOrEqual(41_000);
    await expect(speak('speaks-half').then(bytesOf)).rejects.toThrow();
    expect(lastCharge()).toMatchObject({ audioMs: 2000 });
  });
});
