import { z } from 'zod';
import { jsonSchemaObject, list } from '../schema-parts.ts';

/** Above what clients with many connected tool servers send; the prompt has to hold them all. */
const maxTools = 256;
const namePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** A name as OpenAI has it, of a function or of an output format. */
export const wireName = z.string().refine((name) => namePattern.test(name), {
  error: 'must be 1 to 64 letters, digits, underscores or hyphens',
});

/** The one kind of tool there is; the others that OpenAI knows run on its servers, or are free text. */
export const functionType = z.string().refine((type) => type === 'function', {
  error: 'must be "function": tools of other kinds are not available here',
  params: { code: 'unsupported_value' },
});

const functionTool = z.object({
  type: functionType,
  function: z.object({
    name: wireName,
    description: z.string().nullish(),
    parameters: jsonSchemaObject.nullish(),
    // Without effect: arguments fit the schema in every mode.
    strict: z.boolean().nullish(),
  }),
});

export const tools = list(functionTool, { max: maxTools });

const namedFunction = z.object({ name: wireName });
const allowedTools = z.object({
  mode: z.enum(['auto', 'required']),
  tools: list(z.object({ type: functionType, function: namedFunction }), { min: 1, max: maxTools }),
});

// The objects come first, since the complaint about a bad one comes from the first branch that it could be meant for.
export const toolChoice = z.union([
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('function'), function: namedFunction }),
    z.object({ type: z.literal('allowed_tools'), allowed_tools: allowedTools }),
  ]),
  z.enum(['none', 'auto', 'required']),
]);

export type FunctionToolParameter = z.output<typeof functionTool>;
export type ToolChoiceParameter = z.output<typeof toolChoice>;
