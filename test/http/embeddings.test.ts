import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../src/errors/errors.ts';
import type { ErrorCode } from '../../src/errors/errors.ts';
import { nothingComputed } from '../../src/engine/generation/generation.ts';
import { expectError } from '../support/wire/error-envelope.ts';
import { jsonRequest, listen } from '../support/fakes/http-service.ts';
import type { Service } from '../support/fakes/http-service.ts';

let service: Service;
beforeEach(async () => {
  service = await listen();
});
afterEach(() => service.close());

const ask = async (extra: object = {}, init: RequestInit = {}): Promise<Response> => {
  const [path, request] = jsonRequest('/v1/embeddings', { model: 'vectors', input: 'a fox', ...extra }, init);
  return fetch(service.origin + path, request);
};

describe('embeddings', () => {
  it('have every field of the interface and nothing else', async () => {
    const response = await ask({ input: ['a fox', [1, 2]] });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe('59');
    expect(await response.json()).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [1, 0, 0, 0] },
        {
          object: 'embedding',
          index: 1,
          embedding: [Math.fround(Math.cos(1)), Math.fround(Math.sin(1)), 0, 0],
        },
      ],
      model: 'vectors',
      usage: { prompt_tokens: 6, total_tokens: 6 },
    });
    expect(service.engine.embeddings.map(({ request }) => request)).toEqual([
      {
        modelId: 'vectors',
        accountId: 'account-1',
        keyId: 'key-of-yz12',
        inputs: ['a fox', [1, 2]],
        dimensions: undefined,
      },
    ]);
  });

  it('come in base64 as 32-bit numbers', async () => {
    const { data } = (await (await ask({ encoding_format: 'base64' })).json()) as {
      data: { embedding: string }[];
    };
    const bytes = Buffer.from(data[0]?.embedding ?? '', 'base64');
    expect([0, 4, 8, 12].map((at) => bytes.readFloatLE(at))).toEqual([1, 0, 0, 0]);
    expect(bytes).toHaveLength(16);
  });

  it('are decoded by the openai client, which asks for base64 by itself', async () => {
    const { data } = await service.client.embeddings.create({ model: 'vectors', input: ['a', 'b'] });
    expect(data.map(({ embedding }) => [...embedding])).toEqual([
      [1, 0, 0, 0],
      [Math.fround(Math.cos(1)), Math.fround(Math.sin(1)), 0, 0],
    ]);
  });

  it('keep their model in memory for as long as the request says', async () => {
    await ask({ keep_alive: '5m' });
    expect(service.engine.embeddings[0]?.request).toMatchObject({ keepAliveMs: 300_000 });
  });

  it('are computed by chat models too, under any of their names', async () => {
    expect(await (await ask({ model: 'gpt-4o-mini' })).json()).toMatchObject({ model: 'gpt-4o-mini' });
    expect(service.engine.embeddings[0]?.request.modelId).toBe('tiny');
  });

  it('are metered on requests and input tokens', async () => {
    await (await ask({ input: ['a', 'b'] })).text();
    expect(service.limiter.admitted).toMatchObject([
      { modelId: 'vectors', route: '/v1/embeddings', measures: ['requests', 'inputTokens'] },
    ]);
    expect(service.limiter.settlements).toMatchObject([
      { status: 200, promptTokens: 6, completionTokens: 0, timeToFirstTokenMs: null, refundRequest: false },
    ]);
    await expect.poll(() => service.logLines.length).toBe(1);
    expect(JSON.parse(service.logLines[0] ?? '')).toMatchObject({ path: '/v1/embeddings', promptTokens: 6 });
    expect(service.logLines[0]).not.toMatch(/"a"/);
  });
});

describe('are refused', () => {
  it.each<[extra: object, code: ErrorCode, param: string]>([
    [{ model: 'ears' }, 'unsupported_value', 'model'],
    [{ model: 'nope' }, 'model_not_found', 'model'],
    [{ input: undefined }, 'missing_required_parameter', 'input'],
    [{ input: '' }, 'invalid_value', 'input'],
    [{ input: [] }, 'invalid_value', 'input'],
    [{ input: ['a', ''] }, 'invalid_value', 'input[1]'],
    [{ input: [[1], []] }, 'invalid_value', 'input[1]'],
    [{ input: 5 }, 'invalid_type', 'input'],
    [{ input: [{}] }, 'invalid_type', 'input[0]'],
    [{ input: [1, 'a'] }, 'invalid_type', 'input[1]'],
    [{ input: [1, -1] }, 'invalid_value', 'input[1]'],
    [{ input: Array.from({ length: 2049 }, () => 'a') }, 'invalid_value', 'input'],
    [{ encoding_format: 'hex' }, 'invalid_value', 'encoding_format'],
    [{ dimensions: 0 }, 'invalid_value', 'dimensions'],
    [{ encoding_fromat: 'float' }, 'unknown_parameter', 'encoding_fromat'],
  ])('before the engine is asked: %j', async (extra, code, param) => {
    await expectError(await ask(extra), code, param);
    expect(service.engine.embeddings).toEqual([]);
    expect(service.limiter.admitted).toEqual([]);
  });

  it.each([
    [['a', 'b'], 'inputs[1]', 'input[1]'],
    [['a', [5]], 'inputs[1][0]', 'input[1][0]'],
    ['a', 'inputs[0]', 'input'],
    [[5, 6], 'inputs[0][1]', 'input[1]'],
    ['a', 'dimensions', 'dimensions'],
  ])('by the engine in the words of the client: %j, %s', async (input, param, shown) => {
    const error = new AppError('context_length_exceeded', 'Too long.', { param });
    service.engine.embedding = () => ({
      outcome: 'failed',
      error,
      usage: { ...nothingComputed, promptTokens: 4 },
    });
    await expectError(await ask({ input }), 'context_length_exceeded', shown);
    expect(service.limiter.settlements).toMatchObject([
      { status: 400, promptTokens: 0, refundRequest: true },
    ]);
  });

  it('by a failure of the model, which costs nothing but what was computed', async () => {
    service.engine.embedding = () => ({
      outcome: 'failed',
      error: new Error('secret path'),
      usage: { ...nothingComputed, promptTokens: 4 },
    });
    expect(await expectError(await ask(), 'internal_error', null)).not.toContain('secret');
    expect(service.limiter.settlements).toMatchObject([
      { status: 500, promptTokens: 4, refundRequest: true },
    ]);
  });
});

it('a client that leaves stops the work and pays for what was computed', async () => {
  const usage = { ...nothingComputed, promptTokens: 4 };
  service.engine.embedding = ({ signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ outcome: 'aborted', usage }));
    });
  const leaver = new AbortController();
  const asked = ask({}, { signal: leaver.signal });
  await expect.poll(() => service.engine.embeddings.length).toBe(1);
  leaver.abort();
  await expect(asked).rejects.toThrow(/abort/);
  await expect.poll(() => service.limiter.settlements).toMatchObject([{ status: 499, promptTokens: 4 }]);
});
