import { z } from 'zod';
import { jsonSchemaObject, wireName } from './schema-parts.ts';
import { isNestedDeeper } from '../request/json-nesting.ts';

/** Above what clients with many connected tool servers send; the prompt has to hold them all. */
export const maxTools = 256;

const maxCallIdChars = 256;
const maxCalledNameChars = 256;
const maxArgumentsDepth = 128;

/** The one kind of tool there is; the others that OpenAI knows run on its servers, or are free text. */
export const functionType = z
  .string()
  .refine((type) => type === 'function', {
    error: ({ input }) => `must be "function": ${describeKind(input)} are not available here`,
    params: { code: 'unsupported_value' },
  })
  .meta({ const: 'function' });

/** What every endpoint says about a function that the model may call. */
export const functionFields = {
  name: wireName,
  description: z.string().nullish(),
  parameters: jsonSchemaObject.nullish(),
  // Without effect: arguments fit the schema in every mode.
  strict: z.boolean().nullish(),
};

/** What ties a call and its result together. */
export const callId = z.string().min(1).max(maxCallIdChars);

/** Of an earlier call, perhaps another vendor's: its name and arguments need not be what this server would make. */
export const calledFunctionFields = {
  name: z.string().min(1).max(maxCalledNameChars),
  // Templates get them as values and walk through these recursively.
  arguments: z.string().refine((text) => !isNestedDeeper(text, maxArgumentsDepth), {
    error: `must be nested at most ${maxArgumentsDepth} levels deep`,
  }),
};

function describeKind(type: unknown): string {
  const isShortWord = typeof type === 'string' && /^[\w.:-]{1,64}$/.test(type);
  return isShortWord ? `tools of the type "${type}"` : 'tools of other kinds';
}
