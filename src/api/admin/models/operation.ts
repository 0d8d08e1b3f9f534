import { json, type AdminOperation } from '../descriptions.ts';
import { adminRequests } from '../schema.ts';
import { deletedModel, modelStatus, modelStatusList, pullEvent, suggestionList } from './response-schema.ts';

const ofModel = { pathParameters: { id: 'An id or alias; it may have slashes in it.' } };

export const modelOperations: readonly AdminOperation[] = [
  {
    route: 'GET /models',
    id: 'listModelStatuses',
    summary: 'Tell which models are in memory and what they take',
    responses: { 200: json(modelStatusList, 'By id.') },
    errors: ['invalid_value', 'unknown_parameter'],
  },
  {
    route: 'POST /models/pull',
    id: 'pullModel',
    summary: 'Download a model',
    description:
      'What fails once the answer has begun is its last event. A client that leaves ends the download, unless ' +
      'others wait for the same; what has come is kept, and the next one goes on from there.',
    body: { schema: adminRequests.pull, example: { model: 'hf:Qwen/Qwen3-0.6B-GGUF:Q8_0' } },
    responses: {
      200: {
        description: 'How far it has come, and at the end the model.',
        content: { 'text/event-stream': pullEvent },
      },
    },
  },
  {
    route: 'GET /model-suggestions',
    id: 'listModelSuggestions',
    summary: 'List the models that can be pulled by name, and how they would run on this machine',
    description: 'The first request measures how fast the machine reads memory, for about a second.',
    responses: { 200: json(suggestionList, 'By kind, from small to large.') },
    errors: ['invalid_value', 'unknown_parameter'],
  },
  {
    route: 'DELETE /models/{id}',
    id: 'deleteModel',
    summary: 'Delete the files of a pulled model',
    ...ofModel,
    responses: { 200: json(deletedModel, 'It is gone from the disk.') },
    errors: ['model_not_found', 'invalid_value'],
  },
  {
    route: 'POST /models/{id}/load',
    id: 'loadModel',
    summary: 'Load a model before anyone asks for it',
    description: 'Answered when it is in memory. It stays as long as its `keepAlive` says.',
    ...ofModel,
    body: { schema: adminRequests.nothing, optional: true },
    responses: { 200: json(modelStatus, 'The model.') },
    errors: ['model_not_found', 'model_loading', 'model_load_failed', 'server_overloaded'],
  },
  {
    route: 'POST /models/{id}/unload',
    id: 'unloadModel',
    summary: 'Free a model',
    description: 'One in use is `unloading` until its last request has ended; new requests load it again.',
    ...ofModel,
    body: { schema: adminRequests.nothing, optional: true },
    responses: { 200: json(modelStatus, 'The model.') },
    errors: ['model_not_found'],
  },
];
