import { count, listOf, time } from '../../openapi/shared-schemas.ts';
import { eventsOf, json, operationsOf } from '../../openapi/operation.ts';
import * as requests from '../schema.ts';
import { z } from 'zod';
import { modelKindNames } from '../../../model-kinds.ts';
import { errorBody } from '../../openapi/error-body.ts';
import { runsOn } from '../../model/runs-on.ts';
import { components, namedObject, namedUnion } from '../../openapi/json-schema.ts';

const memoryUse = namedObject('MemoryUse', { ram_bytes: count, vram_bytes: count });

const modelAddress = namedObject('ModelAddress', {
  url: z.string().min(1),
  state: z.enum(['up', 'down', 'unknown']),
  in_flight: count.describe('Requests that it is answering.'),
  requests: count.describe('Requests that it has begun to answer.'),
  errors: count.describe('Requests that failed there.'),
  latency_ms: count.nullable().describe('Until the first byte of an answer, a moving average.'),
  reason: z.string().nullable().describe('Why it is down.'),
  down_since: time.nullable().describe('Unix seconds; null: it is not down.'),
  retries_at: time.nullable().describe('When it is asked again whether it is there; null: it is not down.'),
});

export const modelStatus = namedObject('ModelStatus', {
  id: z.string().min(1),
  object: z.literal('model_status'),
  kind: z.enum(modelKindNames),
  path: z.string().nullable().describe('Its file, or the first of several; null: it runs elsewhere.'),
  parameters: count.describe('Number of its weights; 0: its file does not tell.'),
  quantization: z.string().nullable(),
  size_bytes: count.describe('Of its files; 0: it has none here.'),
  capabilities: z.array(z.enum(['audio', 'image', 'functionCalling', 'reasoning', 'infill'])),
  state: z.enum(['available', 'loading', 'loaded', 'unloading', 'failed']),
  memory: memoryUse.nullable().describe('What it holds; null: it is not in memory.'),
  runs_on: runsOn,
  context_window: count
    .nullable()
    .describe('Tokens of prompt and answer together: as loaded, or as it would be.'),
  parallel: count.nullable().describe('Requests that are computed together.'),
  requests: count.describe('That use it or wait for it.'),
  busy: count.describe('Of `parallel`, those that are being computed.'),
  waiting: count.describe('Requests that wait for their turn.'),
  last_used_at: time.nullable(),
  unloads_at: time.nullable().describe('Unix seconds; null: it stays until room is needed.'),
  error: z.string().nullable().describe('Why it could not be loaded, or cannot serve now.'),
  addresses: z
    .array(modelAddress)
    .nullable()
    .describe('The servers that run it; null: it runs here, or is not open.'),
  upstream_label: z.string().nullable().describe('What these are called; null: nothing, or it runs here.'),
  last_answer_failed: z.boolean().describe('All of these failed when they were last asked.'),
  pid: count.nullable().describe("The process that it runs in; null: hearth's own, or it is not in memory."),
  deletable: z
    .boolean()
    .describe("Whether DELETE deletes its files: they were pulled. Other files are not hearth's."),
});

export const modelDetails = modelStatus
  .extend({
    aliases: z
      .array(z.string())
      .describe(
        'Its other names; those with `-r` at the end are listed where it can think, and it does so first.',
      ),
    architecture: z.string().describe('As its file calls it; empty: it has none here.'),
    trained_context: count.describe('Tokens that it was trained for; 0: its file does not tell.'),
    licence: z.string().nullable().describe('As its file calls it.'),
    chat_template: z.string().nullable().describe('How its file has a conversation written.'),
  })
  .register(components, { id: 'ModelDetails' });

/** Memory that models may take together, and that those in memory take. */
export const modelMemory = z.strictObject({ budget: memoryUse, used: memoryUse });

export const modelStatusList = namedObject('ModelStatusList', {
  ...listOf(modelStatus),
  memory: modelMemory.describe('What models may take together, and what those in memory take.'),
  unserved: z
    .array(
      z.strictObject({
        name: z.string().min(1).describe('The path of a file, or the id of a configured model.'),
        reason: z.string().min(1),
        deletable: z.boolean().describe('It was pulled: to delete it takes its name in place of an id.'),
        source: z.string().nullable().describe('What to pull to get it again; null: unknown.'),
      }),
    )
    .describe('What the folders and the configuration have and nobody is served, such as damaged files.'),
});

const deletedModel = namedObject('DeletedModel', {
  id: z.string().min(1),
  object: z.literal('model'),
  deleted: z.literal(true),
});

const suggestion = namedObject('ModelSuggestion', {
  id: z.string().min(1),
  object: z.literal('model_suggestion'),
  kind: z.enum(['chat', 'code', 'vision', 'embedding', 'speech', 'voice']),
  source: z.string().min(1),
  size_bytes: count,
  memory_bytes: count,
  licence: z.string().min(1),
  good_for: z.string().min(1),
  fits: z.boolean().describe('It leaves enough memory for other programs.'),
  best: z.boolean().describe('The chat model that suits this machine best.'),
  tokens_per_second: z.number().min(0).nullable().describe('An estimate for one conversation.'),
  served_as: z.string().nullable().describe('The id under which it is here already.'),
});

export const suggestionList = namedObject('ModelSuggestionList', listOf(suggestion));

const modelPull = namedObject('ModelPull', {
  object: z.literal('model_pull'),
  state: z.enum(['pulling', 'pulled']),
  model: z
    .string()
    .nullable()
    .describe('The id under which it is served, once it is pulled; null: another file has it.'),
  file: z.string().min(1),
  received_bytes: count.describe('Of all its files.'),
  total_bytes: count.nullable().describe('null until it is known.'),
  bytes_per_second: count,
  note: z.string().nullable().describe('For people: why it pauses, for example.'),
});

export const pullEvent = namedUnion('ModelPullEvent', [modelPull, errorBody]);

const ofModel = { pathParameters: { id: 'An id or alias; it may have slashes in it.' } };

export const adminModelOperations = operationsOf(['Administration', 'admin'], {
  listModelStatuses: {
    route: 'GET /admin/v1/models',
    summary: 'Tell which models are in memory and what they take',
    answer: json(modelStatusList, 'By id.'),
  },
  getModelDetails: {
    route: 'GET /admin/v1/models/{id}',
    summary: 'Tell all that is known of a model',
    ...ofModel,
    answer: json(modelDetails, 'The model.'),
    errors: ['model_not_found'],
  },
  pullModel: {
    route: 'POST /admin/v1/models/pull',
    summary: 'Download a model',
    description:
      'What fails once the answer has begun is its last event. A client that leaves ends the download, unless ' +
      'others wait for the same; what has come is kept, and the next one goes on from there.',
    body: { schema: requests.pull, example: { model: 'hf:Qwen/Qwen3-0.6B-GGUF:Q8_0' } },
    answer: eventsOf(pullEvent, 'How far it has come, and at the end the model.'),
  },
  listModelSuggestions: {
    route: 'GET /admin/v1/model-suggestions',
    summary: 'List the models that can be pulled by name, and how they would run on this machine',
    description: 'The first request measures how fast the machine reads memory, for about a second.',
    answer: json(suggestionList, 'By kind, from small to large.'),
  },
  deleteModel: {
    route: 'DELETE /admin/v1/models/{id}',
    summary: 'Delete the files of a pulled model',
    ...ofModel,
    answer: json(deletedModel, 'It is gone from the disk.'),
    errors: ['model_not_found', 'invalid_value'],
  },
  loadModel: {
    route: 'POST /admin/v1/models/{id}/load',
    summary: 'Load a model before anyone asks for it',
    description:
      'Answered when it is in memory. It stays as long as its `keepAlive` says. Of one that runs elsewhere, its servers are asked at once.',
    ...ofModel,
    body: { schema: requests.nothing, optional: true },
    answer: json(modelStatus, 'The model.'),
    errors: ['model_not_found', 'model_loading', 'model_load_failed', 'server_overloaded'],
  },
  unloadModel: {
    route: 'POST /admin/v1/models/{id}/unload',
    summary: 'Free a model',
    description: 'One in use is `unloading` until its last request has ended; new requests load it again.',
    ...ofModel,
    body: { schema: requests.nothing, optional: true },
    answer: json(modelStatus, 'The model.'),
    errors: ['model_not_found'],
  },
});
