import { expect } from 'vitest';
import { errorTable } from '../../../src/errors/errors.ts';
import type { ErrorBody, ErrorCode } from '../../../src/errors/errors.ts';

/** The error in `response`, after checking that its envelope is whole and agrees with the table of errors. */
export async function readError(response: Response): Promise<ErrorBody['error']> {
  const body = (await response.json()) as ErrorBody;
  expect(Object.keys(body)).toEqual(['error']);
  expect(Object.keys(body.error).sort()).toEqual(['code', 'message', 'param', 'type']);
  expect(errorTable).toHaveProperty(body.error.code);
  expect(body.error.type).toBe(errorTable[body.error.code].type);
  expect(response.status).toBe(errorTable[body.error.code].status);
  expect(body.error.message).toMatch(/\.|\?$/);
  expect(body.error.param === null || body.error.param !== '').toBe(true);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('x-request-id')).toMatch(/^\S+$/);
  expect(response.headers.get('x-should-retry')).toBe(errorTable[body.error.code].retryable ? null : 'false');
  return body.error;
}

export async function expectError(
  response: Response,
  code: ErrorCode,
  param?: string | null,
): Promise<string> {
  const error = await readError(response);
  expect(error.code).toBe(code);
  if (param !== undefined) expect(error.param).toBe(param);
  return error.message;
}

/** Checks an error in Ollama's form; `words` are part of its message. */
export async function expectOllamaError(response: Response, code: ErrorCode, words: string): Promise<void> {
  expect(response.status).toBe(errorTable[code].status);
  const body = (await response.json()) as { error: string };
  expect(Object.keys(body)).toEqual(['error']);
  expect(body.error).toContain(words);
}
