import type { Hono } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import type { AppContext, AppEnv } from '../env.ts';
import type { ToolApi } from './tools.ts';
import { z } from 'zod';
import { named } from '../openapi/json-schema.ts';
import { json, operationsOf } from '../openapi/operation.ts';

const message = named('McpMessage', z.looseObject({ jsonrpc: z.literal('2.0') }));

export const toolOperations = operationsOf(['Tools', 'user'], {
  callTools: {
    route: 'POST /mcp',
    summary: 'Use the models as tools of an agent',
    description:
      'The Model Context Protocol, by streamable HTTP without sessions: `list_models`, `ask`, `embed`, `rerank` and `transcribe`. What a tool asks counts as a request with the same key. `Accept` must name `application/json` and `text/event-stream`.',
    body: { schema: message, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    answer: json(message, 'The answer.'),
    responses: { 202: { description: 'It was a notification.' } },
  },
});

/** Answers a message of the Model Context Protocol, without sessions. Calls of tools pass `app` with the same key. */
export async function callTools(c: AppContext, app: Hono<AppEnv>): Promise<Response> {
  const [{ createToolServer }, { WebStandardStreamableHTTPServerTransport: Transport }] = await Promise.all([
    import('./tools.ts'),
    import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
  ]);
  const server = createToolServer(apiFor(app, c));
  try {
    const transport = new Transport({ enableJsonResponse: true });
    await server.connect(transport);
    const { body, status, headers } = await transport.handleRequest(c.req.raw, {
      parsedBody: c.get('body'),
    });
    return c.newResponse(body, { status: status as StatusCode, headers: Object.fromEntries(headers) });
  } finally {
    await server.close();
  }
}

function apiFor(app: Hono<AppEnv>, c: AppContext): ToolApi {
  const send = async (path: string, init: RequestInit, signal: AbortSignal): Promise<unknown> => {
    const request = { ...init, signal: AbortSignal.any([signal, c.req.raw.signal]) };
    const response = await app.request(`/v1${path}`, request, { principal: c.get('principal') });
    const answer = (await response.json()) as { error?: { message: string } };
    if (!response.ok) throw new Error(answer.error?.message ?? `The server answered ${response.status}.`);
    return answer;
  };
  return {
    source: 'base64',
    ask: (path, body, signal) => send(path, body === undefined ? {} : jsonRequest(body), signal),
    transcribe({ audio, model, language }, signal) {
      const form = new FormData();
      form.set('model', model);
      if (language !== undefined) form.set('language', language);
      // The route wants one of the names that it knows, and finds out the file's format by itself.
      form.set('file', new Blob([Buffer.from(audio, 'base64')]), 'audio.wav');
      return send('/audio/transcriptions', { method: 'POST', body: form }, signal);
    },
  };
}

const jsonRequest = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});
