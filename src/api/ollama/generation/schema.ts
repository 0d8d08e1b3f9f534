import { z } from 'zod';
import type { JsonObject } from '../../env.ts';
import { namedParameters, toJsonSchema } from '../../openapi/json-schema.ts';
import { functionFields, maxTools } from '../../parameters/tools/function-fields.ts';
import { maxContentParts, maxMessages } from '../../conversation/conversation.ts';
import { modelName, keepAlive, generationParameters } from '../../parameters/generation-parameters.ts';
import { orRandom } from '../../parameters/sampling-parameters.ts';
import { reasoningEffort } from '../../parameters/reasoning-request.ts';
import { anyArray, anyObject, jsonSchemaObject, list, refuse } from '../../parameters/schema-parts.ts';
import { toWellFormedJson } from '../../request/json-nesting.ts';
import { createParameterParser, type ParsedParameters } from '../../request/validate.ts';

const { keep_alive: _besideOptions, ...drawing } = generationParameters;

/** The names are Ollama's own, and nearly all of them are those of the other routes. */
const optionsSchema = z.object({
  ...drawing,
  seed: orRandom(drawing.seed),
  num_predict: z.int().min(-2).optional(),
});

type GenerationOptions = z.output<typeof optionsSchema>;

const parseOnly = createParameterParser(z.object({ options: optionsSchema }));

/** `options` in a request: how tokens are drawn, and how many. */
export const options = anyObject.meta({
  ...toJsonSchema(optionsSchema),
  description:
    'Sampling as at the other routes, `stop` and `num_predict` (-1: no limit). Others, such as `num_ctx`, are the ' +
    "server's own affair: they are listed in `x-ignored-parameters`.",
});

/** The options that are known. Throws the AppError of the first error. */
function parseOptions(given: JsonObject = {}): GenerationOptions {
  const entries = Object.entries(given).filter(([, value]) => value !== null);
  return parseOnly({ options: Object.fromEntries(entries) }).parameters.options;
}

/** The most tokens that `num_predict` allows; undefined: no limit. */
export const maxTokensOf = ({ num_predict: most = -1 }: GenerationOptions): number | undefined =>
  most < 0 ? undefined : most;

const maxCalls = 256;
const maxNameChars = 256;
const maxArgumentsDepth = 128;

/** As at the other routes; any negative duration is for ever. */
export const ollamaKeepAlive = z.preprocess((value) => (isNegative(value) ? -1 : value), keepAlive);

const isNegative = (value: unknown) =>
  typeof value === 'string' ? /^-\d/.test(value) : typeof value === 'number' && value < 0;

const calledArguments = anyObject
  .transform((given, context) => {
    const copy = toWellFormedJson(given, maxArgumentsDepth);
    return copy ?? refuse(context, `must be nested at most ${maxArgumentsDepth} levels deep`);
  })
  .meta({ type: 'object' });

const name = z.string().min(1).max(maxNameChars);

/** Ollama has them in base64 and nothing else. */
const images = list(z.string().min(1), { max: maxContentParts }).describe(
  'Pictures in base64, which stand before the text: PNG, JPEG, WebP, GIF (its first frame) or BMP.',
);

const message = namedParameters('OllamaMessage', {
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  thinking: z.string().nullish(),
  images: images.nullish(),
  tool_calls: list(
    z.object({
      id: name.nullish(),
      function: z.object({ name, arguments: calledArguments.nullish() }),
    }),
    { max: maxCalls },
  ).nullish(),
  tool_name: z.string().max(maxNameChars).nullish(),
  tool_call_id: z.string().max(maxNameChars).nullish(),
});

const common = {
  model: modelName,
  stream: z.boolean().optional().meta({ default: true }),
  keep_alive: ollamaKeepAlive.optional(),
  options: options.optional(),
  format: z
    .union([jsonSchemaObject, z.enum(['json', ''])])
    .optional()
    .describe('`json`, or a JSON schema that the answer must fit.'),
  think: z.union([z.boolean(), reasoningEffort]).optional(),
};

export const chatSchema = namedParameters('OllamaChat', {
  ...common,
  messages: list(message, { max: maxMessages })
    .optional()
    .describe('None: the model is only loaded, or with `keep_alive: 0` unloaded.'),
  tools: list(z.object({ type: z.literal('function'), function: z.object(functionFields) }), {
    max: maxTools,
  }).optional(),
});

export const generateSchema = namedParameters('OllamaGenerate', {
  ...common,
  prompt: z.string().optional(),
  system: z.string().optional(),
  suffix: z.string().optional(),
  raw: z.boolean().optional().describe('The prompt is continued as it is, without the chat template.'),
  images: images.optional(),
  template: z.string().optional(),
  context: anyArray.optional(),
});

export type OllamaMessage = z.output<typeof message>;
export type ChatParameters = WithOptions<z.output<typeof chatSchema>>;
export type GenerateParameters = WithOptions<z.output<typeof generateSchema>>;

type WithOptions<Parameters> = Omit<Parameters, 'options'> & { readonly options: GenerationOptions };

export const parseChat = withOptions(createParameterParser(chatSchema));
export const parseGenerate = withOptions(createParameterParser(generateSchema));

function withOptions<Parameters extends { readonly options?: JsonObject | undefined }>(
  parse: (body: JsonObject) => ParsedParameters<Parameters>,
) {
  return (body: JsonObject): ParsedParameters<WithOptions<Parameters>> => {
    const { parameters, ignored } = parse(body);
    return { parameters: { ...parameters, options: parseOptions(parameters.options) }, ignored };
  };
}
