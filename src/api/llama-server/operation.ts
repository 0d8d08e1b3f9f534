import { z } from 'zod';
import { count } from '../generation/wire/completion-schema.ts';
import { namedObject, namedParameters, namedUnion } from '../openapi/json-schema.ts';
import { json, modelErrors, operationsOf, type RequestBody } from '../openapi/operation.ts';
import { errorBody } from '../openapi/error-body.ts';
import { answerFormatParameters } from '../parameters/format/answer-format.ts';
import { generationParameters } from '../parameters/generation-parameters.ts';
import { orRandom } from '../parameters/sampling-parameters.ts';
import { anyObject, list, mapOf } from '../parameters/schema-parts.ts';
import { textInputs } from '../parameters/text-inputs.ts';

/** Clients send some dozens of the places where the user has worked before. */
const maxSnippets = 1024;
const maxResponseFields = 64;
const maxAlternatives = 20;

/** The parameters that both routes have. */
const common = {
  model: z
    .string()
    .max(256)
    .optional()
    .describe('Default: a chat model of this machine, of those in memory first.'),
  n_predict: z.int().min(-1).default(-1).describe('Most tokens; -1: as many as there is room for.'),
  stream: z.boolean().optional(),
  response_fields: list(z.string().max(128), { max: maxResponseFields })
    .optional()
    .describe(
      'Only these fields of the answer, such as `content` and `timings/prompt_n`, under these names.',
    ),
  ...generationParameters,
  seed: orRandom(generationParameters.seed),
  json_schema: answerFormatParameters.json_schema,
  grammar: answerFormatParameters.grammar,
  n_probs: z
    .int()
    .min(0)
    .max(maxAlternatives)
    .default(0)
    .describe('Tells the log-probabilities of the tokens, with this many alternatives of each.'),
  cache_prompt: z.unknown().optional(),
};

export type CommonParameters = z.output<z.ZodObject<typeof common>>;

export const completionSchema = namedParameters('ContinueText', {
  prompt: textInputs({ max: 1, mayBeEmpty: true }).describe('A text, or the ids of its tokens.'),
  ...common,
});

export const infillSchema = namedParameters('CreateInfill', {
  input_prefix: z.string().default('').describe('The text before the gap.'),
  input_suffix: z.string().default('').describe('The text behind it.'),
  input_extra: list(z.object({ filename: z.string().max(4096).optional(), text: z.string() }), {
    max: maxSnippets,
  })
    .optional()
    .describe('Other texts of the project.'),
  prompt: z.string().default('').describe('The beginning of the text in the gap.'),
  ...common,
});

export type InfillParameters = z.output<typeof infillSchema>;

const milliseconds = z.number().min(0);
const likelihood = { token: z.string(), logprob: z.number().max(0), bytes: z.array(z.int().min(0).max(255)) };
const probabilities = z.array(
  z.strictObject({ ...likelihood, top_logprobs: z.array(z.strictObject(likelihood)) }),
);

const written = namedObject('WrittenText', {
  content: z.string().describe('The text, or the rest of it.'),
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
  completion_probabilities: probabilities.optional(),
});

const chosen = mapOf(z.union([z.string(), z.number(), z.boolean(), anyObject, probabilities])).describe(
  'The fields that `response_fields` asks for.',
);

const piece = namedObject('WrittenPiece', {
  content: z.string(),
  stop: z.literal(false),
  completion_probabilities: probabilities.optional(),
});

const writes = (body: RequestBody, description: string) => ({
  body,
  answer: json(
    namedUnion('WrittenAnswer', [written, chosen]),
    description,
    namedUnion('WrittenEvent', [piece, written, chosen, errorBody]),
  ),
  errors: [...modelErrors, 'context_length_exceeded', 'unsupported_value'] as const,
});

export const llamaServerOperations = operationsOf(['Completions', 'user'], {
  continueText: {
    route: 'POST /completion',
    summary: 'Continue a text, as llama-server has it',
    description: 'The prompt is not put into a chat template: `POST /apply-template` does that.',
    ...writes(
      { schema: completionSchema, example: { prompt: 'Once upon a time', n_predict: 16 } },
      'What continues it.',
    ),
  },
  infill: {
    route: 'POST /infill',
    summary: 'Fill a gap in a text, as llama-server has it',
    description: 'For editors that complete code. The model needs fill-in-the-middle tokens.',
    ...writes(
      {
        schema: infillSchema,
        example: { input_prefix: 'def add(a, b):\n    return ', input_suffix: '\n', n_predict: 16 },
      },
      'The text in the gap.',
    ),
  },
});
