import { named } from '../openapi/json-schema.ts';
import { modelKinds } from '../../model-kinds.ts';
import { attachmentErrors, json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { responseEvent } from './events/event-schema.ts';
import { compactedResponse, compactSchema } from './compact/route.ts';
import { deletedResponse, inputTokens, itemList, response } from './response-schema.ts';
import { inputTokensSchema, responseSchema } from './schema.ts';
import { itemsQuery, responseQuery } from './stored/stored-routes.ts';

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
  pathParameters: { id: 'Of a stored response.' },
} as const;

export const responseOperations = operationsOf(['Responses', 'user'], {
  createResponse: {
    route: 'POST /v1/responses',
    summary: 'Answer or continue a conversation',
    description:
      'In one piece, or with `stream: true` as server-sent events while it is written. With `store: true` it is kept for 30 days, and can be continued with `previous_response_id`.',
    body: {
      schema: responseSchema,
      example: { ...example, max_output_tokens: 100 },
    },
    answer: json(
      response,
      'The response. A stream ends with `data: [DONE]`, also where it failed.',
      responseEvent,
    ),
    errors: conversationErrors,
  },
  compactConversation: {
    route: 'POST /v1/responses/compact',
    summary: 'Shorten a conversation',
    description:
      'The model writes a summary. What comes back is the input with which the conversation goes on in its place.',
    body: { schema: named('CompactConversation', compactSchema), example },
    answer: json(compactedResponse, 'The shorter conversation.'),
    errors: conversationErrors,
  },
  countResponseInputTokens: {
    route: 'POST /v1/responses/input_tokens',
    summary: 'Count the tokens of an input',
    description: 'With everything that the prompt would have, such as tools. Nothing is computed or charged.',
    body: { schema: named('CountResponseInputTokens', inputTokensSchema), example },
    answer: json(inputTokens, 'The count.'),
    errors: conversationErrors,
  },
  getResponse: {
    ...ofResponse,
    route: 'GET /v1/responses/{id}',
    summary: 'Get a stored response',
    description:
      'With `stream=true` as its events, in which each text is one delta; `starting_after` leaves out those up to the event of that number.',
    query: responseQuery,
    answer: json(response, 'As it was answered with.', responseEvent),
    errors: ['not_found'],
  },
  cancelResponse: {
    ...ofResponse,
    route: 'POST /v1/responses/{id}/cancel',
    summary: 'Cancel a response in the background',
    description: 'Always refused, because responses are not created in the background here.',
    errors: ['not_found', 'unsupported_value'],
  },
  deleteResponse: {
    ...ofResponse,
    route: 'DELETE /v1/responses/{id}',
    summary: 'Delete a stored response',
    description: 'Responses that continue it are still there, and can no longer be continued.',
    answer: json(deletedResponse, 'It is gone.'),
    errors: ['not_found'],
  },
  listResponseInputItems: {
    ...ofResponse,
    route: 'GET /v1/responses/{id}/input_items',
    summary: 'List what a stored response was asked',
    description: 'Without what came from earlier responses. Newest first unless `order` is `asc`.',
    query: itemsQuery,
    answer: json(itemList, 'One page.'),
    errors: ['not_found'],
  },
});
