import { components } from '../openapi/json-schema.ts';
import { modelKinds } from '../../model-kinds.ts';
import { attachmentErrors, modelErrors } from '../openapi/operation.ts';
import type { Operation } from '../openapi/operation.ts';
import { responseEvent } from './events/event-schema.ts';
import { compactedResponse, compactSchema } from './compact/schema.ts';
import { listServersOperation } from './mcp/servers-route.ts';
import { deletedResponse, inputTokens, itemList, response } from './response-schema.ts';
import { inputTokensSchema, responseSchema } from './schema.ts';
import { itemsQuery, responseQuery } from './stored/stored-schema.ts';

/** The errors of everything that is asked about a conversation. */
const conversationErrors = [
  ...modelErrors,
  ...attachmentErrors,
  'context_length_exceeded',
  'invalid_json_schema',
  'schema_too_complex',
  'previous_response_not_found',
  'not_found',
] as const;

const example = { model: modelKinds.chat.placeholder, input: 'Hello!' };

const ofResponse = {
  tag: 'Responses',
  access: 'user',
  pathParameters: { id: 'Of a stored response.' },
} as const;

export const responseOperations: readonly Operation[] = [
  {
    method: 'POST',
    path: '/v1/responses',
    id: 'createResponse',
    tag: 'Responses',
    summary: 'Answer or continue a conversation',
    description:
      'In one piece, or with `stream: true` as server-sent events while it is written. With `store: true` it is kept for 30 days, and can be continued with `previous_response_id`.',
    access: 'user',
    body: {
      schema: responseSchema.register(components, { id: 'CreateResponse' }),
      example: { ...example, max_output_tokens: 100 },
    },
    responses: {
      200: {
        description: 'The response. A stream ends with `data: [DONE]`, also where it failed.',
        content: { 'application/json': response, 'text/event-stream': responseEvent },
      },
    },
    errors: conversationErrors,
  },
  {
    method: 'POST',
    path: '/v1/responses/compact',
    id: 'compactConversation',
    tag: 'Responses',
    summary: 'Shorten a conversation',
    description:
      'The model writes a summary. What comes back is the input with which the conversation goes on in its place.',
    access: 'user',
    body: { schema: compactSchema.register(components, { id: 'CompactConversation' }), example },
    responses: {
      200: { description: 'The shorter conversation.', content: { 'application/json': compactedResponse } },
    },
    errors: conversationErrors,
  },
  {
    method: 'POST',
    path: '/v1/responses/input_tokens',
    id: 'countResponseInputTokens',
    tag: 'Responses',
    summary: 'Count the tokens of an input',
    description: 'With everything that the prompt would have, such as tools. Nothing is computed or charged.',
    access: 'user',
    body: { schema: inputTokensSchema.register(components, { id: 'CountResponseInputTokens' }), example },
    responses: {
      200: { description: 'The count.', content: { 'application/json': inputTokens } },
    },
    errors: conversationErrors,
  },
  {
    ...ofResponse,
    method: 'GET',
    path: '/v1/responses/{id}',
    id: 'getResponse',
    summary: 'Get a stored response',
    description:
      'With `stream=true` as its events, in which each text is one delta; `starting_after` leaves out those up to the event of that number.',
    query: responseQuery,
    responses: {
      200: {
        description: 'As it was answered with.',
        content: { 'application/json': response, 'text/event-stream': responseEvent },
      },
    },
    errors: ['not_found'],
  },
  {
    ...ofResponse,
    method: 'POST',
    path: '/v1/responses/{id}/cancel',
    id: 'cancelResponse',
    summary: 'Cancel a response in the background',
    description: 'Always refused, because responses are not created in the background here.',
    responses: {},
    errors: ['not_found', 'unsupported_value'],
  },
  {
    ...ofResponse,
    method: 'DELETE',
    path: '/v1/responses/{id}',
    id: 'deleteResponse',
    summary: 'Delete a stored response',
    description: 'Responses that continue it are still there, and can no longer be continued.',
    responses: { 200: { description: 'It is gone.', content: { 'application/json': deletedResponse } } },
    errors: ['not_found'],
  },
  {
    ...ofResponse,
    method: 'GET',
    path: '/v1/responses/{id}/input_items',
    id: 'listResponseInputItems',
    summary: 'List what a stored response was asked',
    description: 'Without what came from earlier responses. Newest first unless `order` is `asc`.',
    query: itemsQuery,
    responses: { 200: { description: 'One page.', content: { 'application/json': itemList } } },
    errors: ['not_found'],
  },
  listServersOperation,
];
