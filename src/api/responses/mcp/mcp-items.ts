import { z } from 'zod';
import { anyObject, list } from '../../parameters/schema-parts.ts';
import { calledFunctionFields, calledToolName, maxTools } from '../../parameters/tools/function-fields.ts';
import { givenId, id, name } from '../items/item-parts.ts';
import { describe, orNull } from '../two-sides.ts';

const maxTextChars = 2 ** 20;

const nullableText = {
  given: z.string().max(maxTextChars).nullish().transform(orNull),
  shown: z.string().nullable(),
};
const label = { given: calledToolName, shown: z.string().min(1).meta({ description: 'Of the server.' }) };
const args = {
  given: calledFunctionFields.arguments,
  shown: z.string().meta({ description: 'JSON that fits the schema of the tool.' }),
};

const listedTool = z.strictObject({
  name: z.string(),
  description: z.string().nullable(),
  input_schema: anyObject,
  annotations: z.null(),
});

const givenListedTool = z.object({
  name: z.string().max(maxTextChars),
  description: nullableText.given,
  input_schema: anyObject,
  annotations: z
    .unknown()
    .optional()
    .transform(() => null),
});

/** The tools of a server that a request may use. It changes nothing about what the next request may use. */
export const mcpListTools = describe('mcp_list_tools', {
  id: id('mcpl'),
  server_label: label,
  tools: {
    given: list(givenListedTool, { max: maxTools }),
    shown: z.array(listedTool),
  },
  error: nullableText,
});

export const mcpError = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('mcp_tool_execution_error'),
    content: z.array(z.strictObject({ type: z.literal('text'), text: z.string() })),
  }),
  z.strictObject({ type: z.literal('mcp_protocol_error'), code: z.int(), message: z.string() }),
]);

export type McpError = z.output<typeof mcpError>;

const shownStatus = z.enum(['in_progress', 'completed', 'incomplete', 'failed']);

/** A call that this server has made. */
export const mcpCall = describe('mcp_call', {
  id: id('mcp'),
  server_label: label,
  name,
  arguments: args,
  approval_request_id: { given: givenId.nullish().transform(orNull), shown: z.string().nullable() },
  output: nullableText,
  error: {
    given: z
      .unknown()
      .optional()
      .transform((given): McpError | null => {
        const own = mcpError.safeParse(given);
        if (own.success) return own.data;
        if (given === undefined || given === null) return null;
        const message = typeof given === 'string' ? given : JSON.stringify(given);
        return { type: 'mcp_protocol_error', code: 0, message: message.slice(0, maxTextChars) };
      })
      .meta({ type: ['object', 'string', 'null'] }),
    shown: mcpError.nullable(),
  },
  status: {
    given: z
      .enum(['in_progress', 'completed', 'incomplete', 'calling', 'failed'])
      .nullish()
      .transform((given): z.output<typeof shownStatus> =>
        given === 'calling' ? 'in_progress' : (given ?? 'completed'),
      ),
    shown: shownStatus,
  },
});

/** A call that is made when a person has allowed it. */
export const mcpApprovalRequest = describe('mcp_approval_request', {
  id: id('mcpr'),
  server_label: label,
  name,
  arguments: args,
});

export const mcpApprovalResponse = describe('mcp_approval_response', {
  id: id('mcpa'),
  approval_request_id: { given: givenId, shown: z.string() },
  approve: { given: z.boolean(), shown: z.boolean() },
  reason: nullableText,
});
