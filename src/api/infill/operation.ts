import { z } from 'zod';
import { count } from '../generation/wire/completion-schema.ts';
import { namedObject, namedParameters, namedUnion } from '../openapi/json-schema.ts';
import { json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { errorBody } from '../openapi/error-body.ts';
import { generationParameters } from '../parameters/generation-parameters.ts';
import { anyObject, list, mapOf } from '../parameters/schema-parts.ts';

/** Clients send some dozens of the places where the user has worked before. */
const maxSnippets = 1024;
const maxResponseFields = 64;

export const infillSchema = namedParameters('CreateInfill', {
  model: z.string().max(256).optional().describe('Default: a chat model in memory, else the first one.'),
  input_prefix: z.string().default('').describe('The text before the gap.'),
  input_suffix: z.string().default('').describe('The text behind it.'),
  input_extra: list(z.object({ filename: z.string().max(4096).optional(), text: z.string() }), {
    max: maxSnippets,
  })
    .optional()
    .describe('Other texts of the project.'),
  prompt: z.string().default('').describe('The beginning of the text in the gap.'),
  n_predict: z.int().min(-1).default(-1).describe('Most tokens; -1: as many as there is room for.'),
  stream: z.boolean().optional(),
  response_fields: list(z.string().max(128), { max: maxResponseFields })
    .optional()
    .describe(
      'Only these fields of the answer, such as `content` and `timings/prompt_n`, under these names.',
    ),
  ...generationParameters,
  cache_prompt: z.unknown().optional(),
});

export type InfillParameters = z.output<typeof infillSchema>;

const milliseconds = z.number().min(0);

const infilled = namedObject('Infill', {
  content: z.string().describe('The text in the gap, or a piece of it.'),
  stop: z.literal(true),
  model: z.string(),
  tokens_predicted: count,
  tokens_evaluated: count.describe('Of the prompt.'),
  tokens_cached: count.describe('Of these, the ones that were computed before.'),
  truncated: z.literal(false),
  stop_type: z.enum(['eos', 'limit', 'word']),
  stopping_word: z.string(),
  timings: z.strictObject({
    cache_n: count,
    prompt_n: count.describe('Tokens of the prompt that were computed.'),
    prompt_ms: milliseconds,
    prompt_per_second: milliseconds,
    predicted_n: count,
    predicted_ms: milliseconds,
    predicted_per_second: milliseconds,
  }),
});

const chosen = mapOf(z.union([z.string(), z.number(), z.boolean(), anyObject])).describe(
  'The fields that `response_fields` asks for.',
);

const piece = namedObject('InfillPiece', { content: z.string(), stop: z.literal(false) });

export const infillOperations = operationsOf(['Completions', 'user'], {
  infill: {
    route: 'POST /infill',
    summary: 'Fill a gap in a text, as llama-server has it',
    description: 'For editors that complete code. The model needs fill-in-the-middle tokens.',
    body: {
      schema: infillSchema,
      example: { input_prefix: 'def add(a, b):\n    return ', input_suffix: '\n', n_predict: 16 },
    },
    answer: json(
      namedUnion('InfillAnswer', [infilled, chosen]),
      'The text in the gap.',
      namedUnion('InfillEvent', [piece, infilled, chosen, errorBody]),
    ),
    errors: [...modelErrors, 'context_length_exceeded', 'unsupported_value'],
  },
});
