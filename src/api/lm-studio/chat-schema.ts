import { z } from 'zod';
import { pictureAddress } from '../attachments/part-schemas.ts';
import { maxContentParts } from '../conversation/conversation.ts';
import { count } from '../generation/wire/completion-schema.ts';
import { ollamaDialect } from '../ollama/dialect.ts';
import { named, namedParameters, namedUnionBy } from '../openapi/json-schema.ts';
import { answerErrors, json, operationsOf } from '../openapi/operation.ts';
import { modelKinds } from '../../model-kinds.ts';
import { generationParameters, modelName } from '../parameters/generation-parameters.ts';
import { anyArray, list } from '../parameters/schema-parts.ts';
import { responseId } from '../responses/schema.ts';

const text = z.object({ type: z.enum(['text', 'message']), content: z.string() });
const picture = z.object({ type: z.literal('image'), data_url: pictureAddress });

export const chatSchema = namedParameters('LmStudioChat', {
  model: modelName,
  input: z.union([z.string(), list(z.union([text, picture]), { min: 1, max: maxContentParts })]),
  system_prompt: z.string().optional(),
  stream: z.boolean().optional(),
  store: z.boolean().optional().meta({ default: true }).describe('Kept for 30 days, to be continued.'),
  previous_response_id: responseId.optional(),
  max_output_tokens: z.int().min(1).optional(),
  reasoning: z.enum(['off', 'low', 'medium', 'high', 'on']).optional(),
  integrations: anyArray.optional(),
  ...generationParameters,
});

const seconds = z.number().min(0);
const output = z.array(z.strictObject({ type: z.enum(['message', 'reasoning']), content: z.string() }));
const result = named(
  'LmStudioAnswer',
  z.strictObject({
    model_instance_id: z.string().min(1),
    output,
    stats: z.strictObject({
      input_tokens: count,
      total_output_tokens: count,
      reasoning_output_tokens: count,
      tokens_per_second: seconds,
      time_to_first_token_seconds: seconds,
    }),
    response_id: z.string().optional().describe('Only where it is kept.'),
  }),
);

const event = <Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.strictObject({ type: z.literal(type), ...shape });
const content = { content: z.string() };
const error = { type: z.string(), message: z.string(), code: z.string(), param: z.string().nullable() };

const chatEvent = namedUnionBy('LmStudioEvent', 'type', [
  event('chat.start', { model_instance_id: z.string().min(1) }),
  event('prompt_processing.start', {}),
  event('prompt_processing.progress', { progress: z.number().min(0).max(1) }),
  event('prompt_processing.end', {}),
  event('reasoning.start', {}),
  event('reasoning.delta', content),
  event('reasoning.end', {}),
  event('message.start', {}),
  event('message.delta', content),
  event('message.end', {}),
  event('error', { error: z.strictObject(error) }),
  event('chat.end', { result }),
]);

export type LmStudioResult = z.output<typeof result>;
export type LmStudioEvent = z.output<typeof chatEvent>;

export const lmStudioChatOperations = operationsOf(['Chat', 'user', ollamaDialect], {
  lmStudioChat: {
    route: 'POST /api/v1/chat',
    summary: 'Answer or continue a conversation, as LM Studio has it',
    body: { schema: chatSchema, example: { model: modelKinds.chat.placeholder, input: 'Hello!' } },
    answer: json(result, 'The answer. A stream tells how far the prompt is.', chatEvent),
    errors: [...answerErrors, 'previous_response_not_found'],
  },
});
