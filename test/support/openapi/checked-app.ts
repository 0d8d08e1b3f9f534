import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { AppEnv } from '../../../src/api/env.ts';
import { checkResponse } from './checked-responses.ts';
import { DocumentChecker } from './document-checker.ts';
import type { OpenApiDocument } from './document-checker.ts';

/** nginx's status for a client that went away: nobody gets such a response. */
const clientClosedRequest = 499;

/** A program on the same machine, which needs no key for the document. */
const loopback = { incoming: { socket: { remoteAddress: '127.0.0.1' } } } as HttpBindings;

let checker: Promise<DocumentChecker> | undefined;

/**
 * `app`, with every response that it gives from now on checked against the document that `twin` serves: the same
 * app but for its log, in which a test wants to see its own requests only.
 */
export function withCheckedResponses(app: Hono<AppEnv>, twin: Hono<AppEnv>): Hono<AppEnv> {
  const { fetch } = app;
  app.fetch = async (request, bindings?: Partial<HttpBindings>, context?) => {
    // Before there is a response: a stream would have to wait for it.
    const opened = await (checker ??= openChecker(twin));
    const isJson = request.headers.get('content-type') === 'application/json';
    // A body that comes through a socket can be read only once.
    const json = isJson && bindings?.incoming === undefined ? await request.clone().text() : undefined;
    const response = await fetch(request, bindings, context);
    if (response.status === clientClosedRequest) return response;
    const { pathname: path } = new URL(request.url);
    return checkResponse(opened, { method: request.method, path, json }, response);
  };
  return app;
}

async function openChecker(app: Hono<AppEnv>): Promise<DocumentChecker> {
  const response = await app.request('/openapi.json', { headers: { host: 'localhost' } }, loopback);
  return new DocumentChecker((await response.json()) as OpenApiDocument);
}
