import { z } from 'zod';
import { AppError, invalidValue } from '../../errors/errors.ts';
import { chatCompletionSchema } from '../chat-completions/schema.ts';
import { namedParameters, namedObject } from '../openapi/json-schema.ts';
import { modelName } from '../parameters/generation-parameters.ts';
import { tokenIds } from '../parameters/text-inputs.ts';
import { modelKinds } from '../../model-kinds.ts';
import { attachmentErrors, json, modelErrors, operationsOf } from '../openapi/operation.ts';

/** Of a request without a name: the only model that the key may use. */
const onlyModel = modelName.optional().describe('May be left out where there is only one.');
const { messages } = chatCompletionSchema.shape;

/** The parameters of a conversation that are part of its prompt. */
const conversation = {
  ...chatCompletionSchema.pick({
    tools: true,
    chat_template_kwargs: true,
    reasoning_effort: true,
    continue_final_message: true,
  }).shape,
  add_generation_prompt: z.boolean().optional(),
};

/** llama-server's parameters and vLLM's. */
export const tokenizeSchema = namedParameters('Tokenize', {
  model: onlyModel,
  content: z.string().optional().describe('A text, without the token that begins one.'),
  prompt: z.string().optional().describe('A text, with the token that begins one.'),
  messages: messages.optional(),
  ...conversation,
  add_special: z.boolean().optional(),
  add_special_tokens: z.boolean().optional(),
  parse_special: z.boolean().optional().meta({ default: true }),
  with_pieces: z.boolean().optional(),
  return_token_strs: z.boolean().optional(),
});

export const applyTemplateSchema = namedParameters('ApplyTemplate', {
  model: modelName.optional().describe('Default: a chat model of this machine, of those in memory first.'),
  messages,
  ...conversation,
});

export const detokenizeSchema = namedParameters('Detokenize', { model: onlyModel, tokens: tokenIds });

type TokenizeParameters = z.output<typeof tokenizeSchema>;

export type ConversationParameters = z.output<typeof applyTemplateSchema>;

/** The text or the messages to be read, and the name of the field that held them. */
type TokenizeInput =
  | { readonly name: 'content' | 'prompt'; readonly text: string }
  | { readonly name: 'messages'; readonly messages: NonNullable<TokenizeParameters['messages']> };

/** Throws AppError unless there is exactly one input, and it can be read as the request wants. */
export function inputOf(parameters: TokenizeParameters): TokenizeInput {
  const { content, prompt, messages: given } = parameters;
  const inputs: TokenizeInput[] = [
    ...(content === undefined ? [] : [{ name: 'content' as const, text: content.toWellFormed() }]),
    ...(prompt === undefined ? [] : [{ name: 'prompt' as const, text: prompt.toWellFormed() }]),
    ...(given === undefined ? [] : [{ name: 'messages' as const, messages: given }]),
  ];
  const [input, other] = inputs;
  if (input === undefined)
    throw new AppError(
      'missing_required_parameter',
      "Missing required parameter 'content': send a text as 'content' or 'prompt', or a conversation as 'messages'.",
      { param: 'content' },
    );
  if (other === undefined) return input;
  throw invalidValue(other.name, `'${other.name}' and '${input.name}' are both given. Send one of them.`);
}

const id = z.int().min(0);

const tokenization = namedObject('Tokenization', {
  tokens: z.array(
    z.union([id, z.strictObject({ id, piece: z.union([z.string(), z.array(z.int().min(0).max(255))]) })]),
  ),
  count: id,
  max_model_len: z.int().min(1).describe('Tokens that the model holds.'),
  token_strs: z.array(z.string()).nullable(),
});

const renderedPrompt = namedObject('RenderedPrompt', {
  prompt: z.string().describe('Without the token that begins a text.'),
});

/** The same text under llama-server's name and vLLM's. */
const detokenization = namedObject('Detokenization', { content: z.string(), prompt: z.string() });

const model = modelKinds.chat.placeholder;

/** Each route stands at the root as well, where llama-server and vLLM have it. */
export const tokenOperations = operationsOf(['Tokens', 'user'], {
  tokenize: {
    route: 'POST /v1/tokenize',
    isAtRoot: true,
    summary: 'Read a text as tokens',
    description: 'Of `content` or `prompt`, or of `messages` through the chat template. Nothing is computed.',
    body: { schema: tokenizeSchema, example: { model, content: 'Once upon a time' } },
    answer: json(tokenization, 'The tokens.'),
    errors: [...modelErrors, 'context_length_exceeded', ...attachmentErrors],
  },
  detokenize: {
    route: 'POST /v1/detokenize',
    isAtRoot: true,
    summary: 'Write tokens as text',
    body: { schema: detokenizeSchema, example: { model, tokens: [1, 2, 3] } },
    answer: json(detokenization, 'The text.'),
    errors: modelErrors,
  },
  applyTemplate: {
    route: 'POST /apply-template',
    summary: 'Put a conversation into the chat template, as llama-server has it',
    description: 'For `POST /completion`. Nothing is computed.',
    body: { schema: applyTemplateSchema, example: { messages: [{ role: 'user', content: 'Hello' }] } },
    answer: json(renderedPrompt, 'The prompt.'),
    errors: [...modelErrors, 'context_length_exceeded', ...attachmentErrors],
  },
});
