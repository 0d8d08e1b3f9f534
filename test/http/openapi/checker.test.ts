import { beforeAll, describe, expect, it } from 'vitest';
import { buildApp, chatRequest, hello, userKey } from '../../support/fakes/http-service.ts';
import { DocumentChecker } from '../../support/openapi/document-checker.ts';
import type { OpenApiDocument, ResponseHead } from '../../support/openapi/document-checker.ts';
import { toChunks } from '../../support/wire/wire-events.ts';

// The tests of all routes rely on this check: here it has to find faults.
const { app } = buildApp();
let checker: DocumentChecker;
beforeAll(async () => {
  const response = await app.request('/openapi.json', { headers: { authorization: `Bearer ${userKey}` } });
  checker = new DocumentChecker((await response.json()) as OpenApiDocument);
});

const head: ResponseHead = {
  method: 'POST',
  path: '/v1/chat/completions',
  status: 200,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'req_1' }),
};

const withHeader = (name: string, value?: string): Headers => {
  const headers = new Headers(head.headers);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return headers;
};

/** The problem of `body` as the body of `response`, or as an event where that is a stream; undefined: it has none. */
function findProblem(body: unknown, response: Partial<ResponseHead> = {}): string | undefined {
  const expected = checker.expectedBody({ ...head, ...response });
  if (!('findProblem' in expected)) throw new Error(`no JSON is expected but ${expected.kind}`);
  return expected.findProblem(body);
}

describe('a head', () => {
  it.each([
    ['an unknown path', { method: 'GET', path: '/v2/models' }, 'no documented operation'],
    ['another method', { method: 'DELETE' }, 'no documented operation'],
    ['another status', { status: 201 }, 'status is not documented'],
    ['another content type', { headers: withHeader('content-type', 'text/html') }, "'text/html' is not"],
    ['no content type', { headers: withHeader('content-type') }, "'' is not documented"],
    ['no request id', { headers: withHeader('x-request-id') }, 'x-request-id'],
    ['a bad Retry-After', { status: 429, headers: withHeader('retry-after', 'soon') }, 'retry-after'],
  ])('with %s is found', (_name, changes, problem) => {
    expect(() => checker.expectedBody(head)).not.toThrow();
    expect(() => checker.expectedBody({ ...head, ...changes })).toThrow(problem);
  });

  it('that has no body expects none', () => {
    expect(checker.expectedBody({ ...head, method: 'HEAD', path: '/v1/models' }).kind).toBe('none');
    expect(checker.expectedBody({ ...head, method: 'OPTIONS', status: 204 }).kind).toBe('none');
  });
});

describe('a body', () => {
  it('that has a field too many, too few or of another type is found', async () => {
    const completion = (await (await app.request(...chatRequest(hello))).json()) as Record<string, unknown>;
    const { usage, ...rest } = completion;
    expect(findProblem(completion)).toBeUndefined();
    expect(findProblem({ ...completion, more: 1 })).toContain('additional');
    expect(findProblem(rest)).toContain("'usage'");
    expect(findProblem({ ...rest, usage: { ...(usage as object), total_tokens: '1' } })).toContain('integer');
    expect(findProblem({ ...completion, object: 'text_completion' })).toContain('/object');
  });

  it('that is an error of another status is found, also on paths that do not exist', () => {
    const error = { message: 'No.', type: 'invalid_request_error', param: null, code: 'invalid_json' };
    expect(findProblem({ error }, { status: 400 })).toBeUndefined();
    expect(findProblem({ error }, { status: 404 })).toContain('/error/code');
    expect(findProblem({ error }, { status: 404, path: '/v2/models' })).toBeUndefined();
    expect(findProblem({ error: { ...error, code: 'oops' } }, { status: 404, path: '/v2' })).toContain(
      'code',
    );
    expect(findProblem({ error: { ...error, param: undefined } }, { status: 400 })).toContain("'param'");
  });

  it('of a path with more steps than parameters belongs to the longest that fits', () => {
    const model = { object: 'list', data: [] };
    expect(findProblem(model, { method: 'GET', path: '/v1/models' })).toBeUndefined();
    expect(findProblem(model, { method: 'GET', path: '/v1/models/org/slashed' })).toContain("'id'");
  });
});

it('a request that is taken and not documented is found', () => {
  expect(checker.findRequestProblem(head, { ...hello, temperature: null, extra: 1 })).toBeUndefined();
  expect(checker.findRequestProblem(head, { ...hello, temperature: 'hot' })).toContain('/temperature');
  expect(checker.findRequestProblem(head, { model: 'tiny' })).toContain("'messages'");
  expect(checker.findRequestProblem({ method: 'GET', path: '/v1/models' }, {})).toContain('no JSON');
});

it('an event that no chunk may be is found', async () => {
  const response = await app.request(...chatRequest({ ...hello, stream: true }));
  const [chunk] = toChunks(await response.text());
  const stream = { headers: withHeader('content-type', 'text/event-stream; charset=utf-8') };
  expect(findProblem(chunk, stream)).toBeUndefined();
  expect(findProblem({ ...chunk, object: 'chat.completion' }, stream)).toContain('/object');
  expect(findProblem({ ...chunk, choices: [{ index: 0, delta: { text: 'Hi' } }] }, stream)).toBeDefined();
});
