import { z } from 'zod';
import { anyObject, list } from '../../parameters/schema-parts.ts';
import { calledFunctionFields, calledToolName, maxTools } from '../../parameters/tools/function-fields.ts';
import { givenId, id, name, describe, orNull, leftOut } from '../two-sides.ts';

const names = list(calledToolName, { max: maxTools });
const namedTools = z.object({ tool_names: names.optional() });
const policy = z.enum(['always', 'never']);
const shownApproval = z.union([
  policy,
  z.strictObject({ never: z.strictObject({ tool_names: z.array(z.string()) }) }),
]);

/** A configured server's tools. Fields that name one elsewhere are read to be refused by a message of their own. */
export const mcpTool = describe('mcp', {
  server_label: { given: calledToolName, shown: z.string() },
  server_description: { given: leftOut(z.string()), shown: z.string().exactOptional() },
  allowed_tools: {
    given: z
      .union([names, namedTools])
      .nullish()
      .transform((given) => (Array.isArray(given) ? given : (given?.tool_names ?? null))),
    shown: z.array(z.string()).nullable(),
  },
  require_approval: {
    // Only tools that are named as needing none need none.
    given: z
      .union([z.object({ never: namedTools.nullish() }), policy])
      .nullish()
      .transform((given): z.output<typeof shownApproval> => {
        if (typeof given === 'string') return given;
        const free = given?.never?.tool_names;
        return free === undefined ? 'always' : { never: { tool_names: free } };
      }),
    shown: shownApproval,
  },
});

/** The fields by which clients name servers elsewhere. */
export const foreignFields = ['server_url', 'connector_id', 'tunnel_id', 'authorization', 'headers'] as const;

export const givenMcpTool = mcpTool.given.extend(
  Object.fromEntries(foreignFields.map((field) => [field, z.unknown().optional()])) as Record<
    (typeof foreignFields)[number],
    z.ZodOptional<z.ZodUnknown>
  >,
);

export type McpToolParameter = z.output<typeof givenMcpTool>;

const maxTextChars = 2 ** 20;

const nullableText = {
  given: z.string().max(maxTextChars).nullish().transform(orNull),
  shown: z.string().nullable(),
};
const label = { given: calledToolName, shown: z.string().min(1).describe('Of the server.') };
const args = {
  given: calledFunctionFields.arguments,
  shown: z.string().describe('JSON that fits the schema of the tool.'),
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

/** The tools of a server that a request may use. It changes nothing about the tools of the next request. */
export const mcpListTools = describe('mcp_list_tools', {
  id: id('mcpl'),
  server_label: label,
  tools: {
    given: list(givenListedTool, { max: maxTools }),
    shown: z.array(listedTool),
  },
  error: nullableText,
});

const mcpError = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('mcp_tool_execution_error'),
    content: z.array(z.strictObject({ type: z.literal('text'), text: z.string() })),
  }),
  z.strictObject({ type: z.literal('mcp_protocol_error'), code: z.int(), message: z.string() }),
]);

export type McpError = z.output<typeof mcpError>;

const shownStatus = z.enum(['in_progress', 'completed', 'incomplete', 'failed']);

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
