import { z } from 'zod';
import { jsonSchemaObject, wireName } from '../schema-parts.ts';
import { isNestedDeeper } from '../../../json-parts.ts';

/** More than clients with many connected tool servers send. All of them must fit into the prompt. */
export const maxTools = 256;

const maxCallIdChars = 256;
const maxCalledNameChars = 256;
export const maxArgumentsDepth = 128;

export const functionFields = {
  name: wireName,
  description: z.string().nullish(),
  parameters: jsonSchemaObject.nullish(),
  // Arguments fit the schema in every mode. In this one keywords that seem to be misspelt are errors.
  strict: z.boolean().nullish(),
};

export const callId = z.string().min(1).max(maxCallIdChars);

export const calledToolName = z.string().min(1).max(maxCalledNameChars);

/** The fields of an earlier call, perhaps of another vendor's model: it need not fit the rules of this server. */
export const calledFunctionFields = {
  name: calledToolName,
  // Templates get the parsed arguments and walk through them recursively.
  arguments: z.string().refine((text) => !isNestedDeeper(text, maxArgumentsDepth), {
    error: `must be nested at most ${maxArgumentsDepth} levels deep`,
  }),
};
