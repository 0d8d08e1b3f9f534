import { z } from 'zod';
import { namedParameters, components, namedObject, namedUnion } from '../openapi/json-schema.ts';
import {
  generationParameters,
  modelName,
  streamParameters,
  quietParameters,
} from '../parameters/generation-parameters.ts';
import { answerFormatParameters } from '../parameters/format/answer-format.ts';
import { anyArray, anyObject, mapOf } from '../parameters/schema-parts.ts';
import { textInputs } from '../parameters/text-inputs.ts';
import { unsupported } from '../request/validate.ts';
import { modelKinds } from '../../model-kinds.ts';
import { json, modelErrors, operationsOf } from '../openapi/operation.ts';
import { chunkUsage, completionHead, completionUsage, count } from '../generation/wire/completion-schema.ts';
import { errorBody } from '../openapi/error-body.ts';

/** Each prompt becomes a request of its own to the engine. */
const maxPrompts = 128;

/** Every parameter that the endpoint knows, including those that it ignores and those that it refuses. */
export const completionSchema = namedParameters('CreateCompletion', {
  model: modelName,
  prompt: textInputs({ max: maxPrompts, mayBeEmpty: true }),
  suffix: z.string().optional(),
  echo: z.boolean().optional(),
  ...streamParameters,
  best_of: z.int().optional(),
  ...generationParameters,
  max_tokens: z.int().min(0).optional().meta({ default: 16 }),
  logprobs: z.int().min(0).max(20).optional(),

  // Accepted if their values ask for nothing.
  tools: anyArray.optional(),
  tool_choice: z.union([z.string(), anyObject]).optional(),

  ...answerFormatParameters,
  ...quietParameters,
});

export type CompletionParameters = z.output<typeof completionSchema>;

const oneChoice = 'Only 1 completion per prompt is possible: leave it out and send several prompts.';

/** Throws unsupported_value for parameters that are known and not supported. One that asks for nothing is accepted. */
export function refuseUnavailable(parameters: CompletionParameters): void {
  const { n = 1, best_of: bestOf = 1, tools = [], tool_choice: toolChoice } = parameters;
  if (n !== 1) throw unsupported(['n'], oneChoice);
  if (bestOf !== 1) throw unsupported(['best_of'], oneChoice);
  const callsTools = tools.length > 0 ? toolChoice !== 'none' : !isNoChoice(toolChoice);
  if (callsTools) {
    throw unsupported(
      [tools.length > 0 ? 'tools' : 'tool_choice'],
      'A text completion calls no tools. Use POST /v1/chat/completions, or set \'tool_choice\' to "none".',
    );
  }
  if (parameters.suffix !== undefined && parameters.suffix !== '' && parameters.echo === true) {
    throw unsupported(['echo'], "A prompt with a 'suffix' cannot be repeated: leave one of the two out.");
  }
}

const isNoChoice = (choice: CompletionParameters['tool_choice']) =>
  choice === undefined || choice === 'none' || choice === 'auto';

const finishReason = z.enum(['stop', 'length']);
const logprob = z.number().max(0);

const usage = completionUsage
  .extend({ prompt_tokens: count.describe('Of all prompts.') })
  .register(components, { id: 'CompletionUsage' });

const logprobs = namedObject('CompletionLogprobs', {
  tokens: z.array(z.string()),
  token_logprobs: z.array(logprob.nullable()),
  top_logprobs: z.array(mapOf(logprob).nullable()),
  text_offset: z.array(count.describe('In Unicode characters.')),
});

const head = {
  id: z.string().startsWith('cmpl-'),
  object: z.literal('text_completion'),
  ...completionHead,
};

const choice = z.strictObject({
  text: z.string(),
  index: count.describe('Of the prompt.'),
  logprobs: logprobs.nullable(),
  finish_reason: finishReason,
});

const textCompletion = namedObject('Completion', { ...head, choices: z.array(choice).min(1), usage });

const textCompletionChunk = namedObject('CompletionChunk', {
  ...head,
  choices: z.array(choice.extend({ finish_reason: finishReason.nullable() })).max(1),
  usage: chunkUsage(usage),
});

const textCompletionEvent = namedUnion('CompletionEvent', [textCompletionChunk, errorBody]);

export const completionOperations = operationsOf(['Completions', 'user'], {
  createCompletion: {
    route: 'POST /v1/completions',
    summary: 'Continue texts',
    description:
      'Each prompt gets one choice, all are computed together. In one piece, or with `stream: true` as server-sent events.',
    body: {
      schema: completionSchema,
      example: { model: modelKinds.chat.placeholder, prompt: 'Once upon a time', max_tokens: 50 },
    },
    answer: json(
      textCompletion,
      'The texts. A stream ends with `data: [DONE]`, or with an event `error` where it failed.',
      textCompletionEvent,
    ),
    errors: [...modelErrors, 'context_length_exceeded'],
  },
});
