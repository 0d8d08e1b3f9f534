import { randomUUID } from 'node:crypto';
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from '../env.ts';
import { openAiDialect } from './speak.ts';

const sanePattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

export function createRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

/** Gives every request its id (a well-formed one of the client is kept), arrival time, access record and dialect. */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  const incoming = c.req.header('x-request-id');
  const requestId = incoming !== undefined && sanePattern.test(incoming) ? incoming : createRequestId();
  c.set('requestId', requestId);
  c.set('arrivedAtMs', performance.now());
  c.set('access', {});
  c.set('ignored', []);
  c.set('dialect', openAiDialect);
  // Set before the response exists, because Hono copies a response to add a header later.
  c.header('x-request-id', requestId);
  try {
    await next();
  } catch (thrown) {
    // Hono calls its error handler only for instances of Error.
    throw thrown instanceof Error
      ? thrown
      : new Error('a value that is no Error was thrown', { cause: thrown });
  }
});
