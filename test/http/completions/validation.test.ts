import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../src/errors/errors.ts';
import { AppError } from '../../../src/errors/errors.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { buildApp, jsonRequest } from '../../support/fakes/http-service.ts';

const { app, engine, limiter } = buildApp();
const ask = async (extra: object = {}) =>
  app.request(...jsonRequest('/v1/completions', { model: 'tiny', prompt: 'Once', ...extra }));

const tools = [{ type: 'function', function: { name: 'f' } }];

describe('a completion is refused with', () => {
  it.each<[extra: object, code: ErrorCode, param: string]>([
    [{ model: undefined }, 'missing_required_parameter', 'model'],
    [{ model: 'nope' }, 'model_not_found', 'model'],
    [{ model: 'ears' }, 'unsupported_value', 'model'],
    [{ model: 'vectors' }, 'unsupported_value', 'model'],
    [{ prompt: undefined }, 'missing_required_parameter', 'prompt'],
    [{ prompt: null }, 'missing_required_parameter', 'prompt'],
    [{ prompt: 7 }, 'invalid_type', 'prompt'],
    [{ prompt: {} }, 'invalid_type', 'prompt'],
    [{ prompt: [] }, 'invalid_value', 'prompt'],
    [{ prompt: [[]] }, 'invalid_value', 'prompt[0]'],
    [{ prompt: ['a', []] }, 'invalid_value', 'prompt[1]'],
    [{ prompt: ['a', 7] }, 'invalid_type', 'prompt[1]'],
    [{ prompt: ['a', null] }, 'invalid_type', 'prompt[1]'],
    [{ prompt: [7, 'a'] }, 'invalid_type', 'prompt[1]'],
    [{ prompt: [7, 0.5] }, 'invalid_type', 'prompt[1]'],
    [{ prompt: [7, -1] }, 'invalid_value', 'prompt[1]'],
    [{ prompt: [7, 2 ** 31] }, 'invalid_value', 'prompt[1]'],
    [{ prompt: [7, 2 ** 53] }, 'invalid_value', 'prompt[1]'],
    [{ prompt: [[7], [8, -1]] }, 'invalid_value', 'prompt[1][1]'],
    [{ prompt: Array.from({ length: 129 }, () => 'a') }, 'invalid_value', 'prompt'],
    [{ n: 2 }, 'unsupported_value', 'n'],
    [{ n: 0 }, 'unsupported_value', 'n'],
    [{ best_of: 3 }, 'unsupported_value', 'best_of'],
    [{ tools }, 'unsupported_value', 'tools'],
    [{ tools, tool_choice: 'auto' }, 'unsupported_value', 'tools'],
    [{ tool_choice: 'required' }, 'unsupported_value', 'tool_choice'],
    [{ tool_choice: { type: 'function', function: { name: 'f' } } }, 'unsupported_value', 'tool_choice'],
    [{ suffix: 'x', echo: true }, 'unsupported_value', 'echo'],
    [{ suffix: 7 }, 'invalid_type', 'suffix'],
    [{ echo: 'yes' }, 'invalid_type', 'echo'],
    [{ logprobs: true }, 'invalid_type', 'logprobs'],
    [{ logprobs: 21 }, 'invalid_value', 'logprobs'],
    [{ max_tokens: -1 }, 'invalid_value', 'max_tokens'],
    [{ min_tokens: 17 }, 'invalid_value', 'min_tokens'],
    [{ min_tokens: 5, max_tokens: 4 }, 'invalid_value', 'min_tokens'],
    [{ top_p: 1.1 }, 'invalid_value', 'top_p'],
    [{ temperature: 2.1 }, 'invalid_value', 'temperature'],
    [{ stop: '' }, 'invalid_value', 'stop'],
    [{ stream: 'true' }, 'invalid_type', 'stream'],
    [{ max_token: 5 }, 'unknown_parameter', 'max_token'],
  ])('%j', async (extra, code, param) => {
    await expectError(await ask(extra), code, param);
    expect(engine.calls).toEqual([]);
    expect(limiter.admitted).toEqual([]);
  });

  it('a word about where tools are called', async () => {
    expect(await expectError(await ask({ tools }), 'unsupported_value')).toContain('/v1/chat/completions');
  });

  it('the specified 429 before any model is asked', async () => {
    const { app: limited, engine: asked, limiter: refusing } = buildApp();
    refusing.refuse = new AppError('rate_limit_exceeded', 'Wait 7 seconds.', { retryAfterSeconds: 7 });
    const body = { model: 'tiny', prompt: ['a', 'b'], stream: true };
    const response = await limited.request(...jsonRequest('/v1/completions', body));
    await expectError(response, 'rate_limit_exceeded', null);
    expect(response.headers.get('retry-after')).toBe('7');
    expect(asked.calls).toEqual([]);
  });
});

it('names that mean nothing are listed', async () => {
  const response = await ask({ other_vendors_switch: 1 });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-ignored-parameters')).toBe('other_vendors_switch');
});

it('other methods are refused', async () => {
  const [path, init] = jsonRequest('/v1/completions', undefined);
  const response = await app.request(path, { ...init, method: 'GET', body: null });
  await expectError(response, 'method_not_allowed');
  expect(response.headers.get('allow')).toBe('POST');
});
