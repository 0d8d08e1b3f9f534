import { createMiddleware } from 'hono/factory';
import { errorTable, toErrorBody } from '../../errors/errors.ts';
import type { Dialect } from '../dialect.ts';
import type { AppEnv } from '../env.ts';
import { errorBody } from '../openapi/error-body.ts';

/** The dialect of every route that says nothing else. */
export const openAiDialect: Dialect = {
  errorBody,
  toErrorBody,
  toStatus: (code) => errorTable[code].status,
};

/** Lets a group of routes speak `dialect`. It must come before all that may refuse a request, the key's check included. */
export function speak(dialect: Dialect) {
  return createMiddleware<AppEnv>(async (c, next) => {
    c.set('dialect', dialect);
    if (dialect.requestIdHeader !== undefined) c.header(dialect.requestIdHeader, c.get('requestId'));
    await next();
  });
}
