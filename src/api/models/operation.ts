import type { Dialect } from '../dialect.ts';
import { openAiDialect } from '../middleware/speak.ts';
import { json, operationsOf } from '../openapi/operation.ts';
import { z } from 'zod';
import { modelKindNames } from '../../model-kinds.ts';
import { namedObject, namedUnion } from '../openapi/json-schema.ts';
import { runsOn } from '../model/runs-on.ts';
import { modelInfo, modelInfoPage } from './model-info.ts';

const contextTokens = z.int().min(1).nullable();
const sameContext = contextTokens.describe('The same as `context_window`.');

const price = z.number().min(0);

export const model = namedObject('Model', {
  id: z.string().min(1).describe('What to ask for; as asked for where that was an alias.'),
  object: z.literal('model'),
  created: z.int().min(0).describe("The time of the model's file, Unix seconds."),
  owned_by: z.string(),
  parameters_number: z.string().describe('Such as `8.03B`; `unknown` where the file tells none.'),
  capabilities: z.strictObject({
    supports_audio: z.boolean(),
    supports_image: z.boolean(),
    supports_function_calling: z.boolean(),
  }),
  context_window: contextTokens.describe(
    'Tokens that one request can have, prompt and answer together: as the model is loaded or would be; as it was trained where nobody knows that.',
  ),
  context_length: sameContext,
  max_model_len: sameContext,
  meta: z.strictObject({
    n_ctx: sameContext,
    n_ctx_train: contextTokens.describe('As it was trained.'),
  }),
  top_provider: z.strictObject({ context_length: sameContext }),
  quantization: z.string().nullable(),
  aliases: z.array(z.string()),
  state: z.enum(['available', 'loaded', 'failed']),
  tool_format: z
    .enum(['native', 'json'])
    .nullable()
    .describe(
      "How a chat model is made to write calls of tools: as its chat template does, or, where that writes none that can be read back, in a plain JSON form. `null` before the model's first load, and for other models.",
    ),
  kind: z
    .enum(modelKindNames)
    .describe('What it does: write text, compute embeddings, rank texts, transcribe speech, or speak.'),
  supports_reasoning: z.boolean(),
  reasoning_efforts: z
    .array(z.string())
    .nullable()
    .describe('Those that its template tells apart; null: none, or not known before its first load.'),
  supports_speech_output: z.boolean().describe('It speaks texts at `/v1/audio/speech`.'),
  size_bytes: z.int().min(0).describe('Of its files; 0 where it has none here.'),
  runs_elsewhere: z.boolean().describe('Another server computes its answers.'),
  upstream_label: z
    .string()
    .nullable()
    .describe('What the operator calls that server; null: nothing, or it runs here.'),
  last_answer_failed: z
    .boolean()
    .describe('That server, or each of several, failed when it was last asked, whoever asked it.'),
  runs_on: runsOn,
  support_chat_completion: z.boolean().describe('At `/v1/chat/completions`.'),
  supports_responses: z.boolean().describe('At `/v1/responses`.'),
  prices: z
    .strictObject({
      input_tokens: price.optional(),
      cached_tokens: price.optional(),
      output_tokens: price.optional(),
      audio_seconds: price.optional(),
      requests: price.optional(),
    })
    .optional()
    .describe(
      "In the operator's units: for a million tokens, for each second and each request. Missing: it costs nothing.",
    ),
  default_parameters: z
    .record(z.string(), z.number())
    .optional()
    .describe('What the operator set for requests that say nothing of it, such as `temperature`.'),
  info: z.record(z.string(), z.unknown()).optional().describe("The operator's own fields."),
});

const modelList = namedUnion('ModelList', [
  z.strictObject({ object: z.literal('list'), data: z.array(model) }),
  modelInfoPage,
]);

export const oneModel = namedUnion('OneModel', [model, modelInfo]);

/** Anthropic's clients list models here too. They read errors of either shape. */
export const modelsDialect: Dialect = {
  ...openAiDialect,
  keyHeader: 'x-api-key',
  requestIdHeader: 'request-id',
};

const inAnthropicsShape = 'With the header `anthropic-version`: in the shape of Anthropic.';

export const modelOperations = operationsOf(['Models', 'user', modelsDialect], {
  listModels: {
    route: 'GET /v1/models',
    summary: 'List the models that the key may use',
    description: `One that can reason is listed a second time, as \`<id>-r\`. ${inAnthropicsShape}`,
    answer: json(modelList, 'All of them.'),
  },
  getModel: {
    route: 'GET /v1/models/{id}',
    summary: 'Look a model up',
    description: inAnthropicsShape,
    pathParameters: { id: 'An id, `-r` id or alias; it may have slashes in it.' },
    answer: json(oneModel, 'The model.'),
    errors: ['model_not_found', 'model_loading'],
  },
});
