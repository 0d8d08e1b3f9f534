import { fitsSchema } from '../../../grammar/fits-schema.ts';
import type { JsonObject } from '../../../engine/types.ts';
import { McpFailure } from '../../../mcp/mcp-failure.ts';
import type { McpServer } from '../../../mcp/mcp-server.ts';
import type { McpResult } from '../../../mcp/tool-result.ts';
import type { MadeCall } from './served-call.ts';

/** The protocol's code for arguments that a tool does not take, and for what fails for another reason. */
const invalidParams = -32_602;
const internalError = -32_603;

/** A call that the model wants, of a tool of a server. */
export interface WantedCall {
  readonly name: string;
  /** JSON schema of its arguments. */
  readonly schema: JsonObject | null | undefined;
  readonly arguments: string;
}

/** How a call ended. */
export interface EndedCall {
  readonly fields: MadeCall['fields'];
  readonly pictures: McpResult['pictures'];
}

/** Calls the tool, if its arguments fit. Throws the reason of the signal, and nothing else. */
export async function callServer(
  server: McpServer | undefined,
  { name, schema, arguments: text }: WantedCall,
  signal: AbortSignal,
): Promise<EndedCall> {
  if (server === undefined) return failed(invalidParams, 'The request offers no such tool.');
  const args = readArguments(text);
  if (args === undefined) return failed(invalidParams, 'The arguments are no JSON object.');
  if (schema && fitsSchema(schema, args) === false)
    return failed(invalidParams, 'The arguments do not fit the schema of the tool.');
  try {
    const { isError, text: output, pictures } = await server.call(name, args, signal);
    if (!isError) return { fields: { status: 'completed', output, error: null }, pictures };
    const error = { type: 'mcp_tool_execution_error', content: [{ type: 'text', text: output }] } as const;
    return {
      fields: { status: 'failed', output: null, error: { ...error, content: [...error.content] } },
      pictures,
    };
  } catch (error) {
    if (error instanceof McpFailure)
      return failed(error.code ?? internalError, `The server ${error.message}.`);
    throw error;
  }
}

/** A call that was not made. */
export function failed(code: number, message: string): EndedCall {
  const error = { type: 'mcp_protocol_error', code, message } as const;
  return { fields: { status: 'failed', output: null, error }, pictures: [] };
}

function readArguments(text: string): JsonObject | undefined {
  try {
    const args: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    return typeof args === 'object' && args !== null && !Array.isArray(args)
      ? (args as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
