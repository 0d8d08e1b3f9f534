import { z } from 'zod';
import { functionFields, functionType, maxTools } from '../parameters/function-fields.ts';
import { components } from '../openapi/json-schema.ts';
import { list, wireName } from '../parameters/schema-parts.ts';

const functionTool = z
  .object({ type: functionType, function: z.object(functionFields) })
  .register(components, { id: 'ChatTool' });

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

export type ToolChoiceParameter = z.output<typeof toolChoice>;
