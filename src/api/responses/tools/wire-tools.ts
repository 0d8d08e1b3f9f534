import { z } from 'zod';
import { components } from '../../openapi/json-schema.ts';
import { isOffered } from '../../parameters/tools/ignored-tools.ts';
import type { IgnoredTool } from '../../parameters/tools/ignored-tools.ts';
import { anyObject } from '../../parameters/schema-parts.ts';
import type { CallableParameter, ToolParameter } from './tool-schema.ts';

const functionTool = z.strictObject({
  type: z.literal('function'),
  name: z.string(),
  description: z.string().nullable(),
  parameters: anyObject.nullable(),
  strict: z.boolean(),
});

const customTool = z.strictObject({
  type: z.literal('custom'),
  name: z.string(),
  description: z.string().exactOptional(),
  format: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text') }),
    z.strictObject({ type: z.literal('grammar'), syntax: z.enum(['lark', 'regex']), definition: z.string() }),
  ]),
});

const namespaceTool = z.strictObject({
  type: z.literal('namespace'),
  name: z.string(),
  description: z.string(),
  tools: z.array(z.discriminatedUnion('type', [functionTool, customTool])),
});

const toolSearch = z.strictObject({
  type: z.literal('tool_search'),
  execution: z.literal('client'),
  description: z.string().nullable(),
  parameters: anyObject.nullable(),
});

/** A tool as responses and stored items show it. */
export const wireTool = z
  .discriminatedUnion('type', [functionTool, customTool, namespaceTool, toolSearch])
  .register(components, { id: 'ResponseTool' });

type WireNamespace = z.output<typeof namespaceTool>;
export type WireTool = z.output<typeof wireTool>;

/** Those of `tools` that are offered, with the defaults of what they leave out. */
export function toWireTools(tools: readonly ToolParameter[]): WireTool[] {
  return tools.filter(isOffered).map((tool) => {
    switch (tool.type) {
      case 'namespace': {
        const { type, name, description } = tool;
        const members = tool.tools.filter(isOffered).map(toWireCallable);
        return { type, name, description: description ?? '', tools: members };
      }
      case 'tool_search': {
        const { type, description, parameters } = tool;
        return {
          type,
          execution: 'client',
          description: description ?? null,
          parameters: parameters ?? null,
        };
      }
      case 'function':
      case 'custom':
        return toWireCallable(tool);
      default:
        return tool satisfies never;
    }
  });
}

function toWireCallable(tool: Exclude<CallableParameter, IgnoredTool>): WireNamespace['tools'][number] {
  if (tool.type === 'function') {
    const { type, name, description, parameters, strict } = tool;
    return {
      type,
      name,
      description: description ?? null,
      parameters: parameters ?? null,
      strict: strict ?? true,
    };
  }
  const { type, name, description, format } = tool;
  return { type, name, ...(description && { description }), format: format ?? { type: 'text' } };
}
