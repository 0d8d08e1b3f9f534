import { z } from 'zod';
import { list } from '../../parameters/schema-parts.ts';
import { calledToolName, maxTools } from '../../parameters/tools/function-fields.ts';
import { describe } from '../two-sides.ts';

const names = list(calledToolName, { max: maxTools });
const namedTools = z.object({ tool_names: names.optional() });
const policy = z.enum(['always', 'never']);
const shownApproval = z.union([
  policy,
  z.strictObject({ never: z.strictObject({ tool_names: z.array(z.string()) }) }),
]);

/**
 * The tools of a server that the operator configured. Fields that name a server elsewhere are read here to be
 * refused by a message of their own.
 */
export const mcpTool = describe('mcp', {
  server_label: { given: calledToolName, shown: z.string() },
  server_description: {
    given: z
      .string()
      .nullish()
      .transform((given) => given ?? undefined)
      .optional(),
    shown: z.string().exactOptional(),
  },
  allowed_tools: {
    given: z
      .union([names, namedTools])
      .nullish()
      .transform((given) => (Array.isArray(given) ? given : (given?.tool_names ?? null))),
    shown: z.array(z.string()).nullable(),
  },
  require_approval: {
    // Only what is named as needing none needs none.
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
