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
