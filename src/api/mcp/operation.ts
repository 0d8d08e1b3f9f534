import { z } from 'zod';
import { components } from '../openapi/json-schema.ts';
import type { Operation } from '../openapi/operation.ts';

const message = z.looseObject({ jsonrpc: z.literal('2.0') }).register(components, { id: 'McpMessage' });

export const callToolsOperation: Operation = {
  method: 'POST',
  path: '/mcp',
  id: 'callTools',
  tag: 'Tools',
  summary: 'Use the models as tools of an agent',
  description:
    'The Model Context Protocol, by streamable HTTP without sessions: `list_models`, `ask`, `embed`, `rerank` and `transcribe`. What a tool asks counts as a request with the same key. `Accept` must name `application/json` and `text/event-stream`.',
  access: 'user',
  body: { schema: message, example: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
  responses: {
    200: { description: 'The answer.', content: { 'application/json': message } },
    202: { description: 'It was a notification.' },
  },
};
