import type {
  StartedEvent,
  BlockEvent,
  CallBlock,
  TextBlock,
  ThoughtBlock,
  ProgressEvent,
} from '../../../engine/generation/generation.ts';
import type { Attachment, JsonObject } from '../../../engine/types.ts';
import type { OutputItem } from '../items/items.ts';
import type { ServerTool } from '../tools/offered-tools.ts';
import { fitsSchema } from '../../../grammar/fits-schema.ts';
import { McpFailure } from '../../../mcp/mcp-failure.ts';
import type { McpServer } from '../../../mcp/mcp-server.ts';
import type { McpResult } from '../../../mcp/tool-result.ts';

/** The part of a call by which this server makes it. */
export interface Served {
  /** Of its item. */
  readonly id: string;
  readonly tool: ServerTool;
  /** The id under which a person has allowed it. */
  readonly approvalId: string | null;
  /** How it ended; undefined: it was not made. */
  outcome?: CallOutcome;
}

/** The result of a call that was made, or the id under which a person is asked for it. */
export type CallOutcome = MadeCall | { readonly askedAs: string };

export interface MadeCall {
  readonly fields: Pick<Extract<OutputItem, { type: 'mcp_call' }>, 'status' | 'output' | 'error'>;
  /** The pictures of the result that the model can see. */
  readonly attachments: readonly Attachment[];
}

export type ServedCall = CallBlock & { readonly served: Served };

/** A block of an answer for which the model may call tools of servers. */
export type LoopBlock = TextBlock | ThoughtBlock | (CallBlock & { readonly served?: Served });

/** Blocks of several turns of the model. A call that this server makes is closed once it has ended. */
export type LoopEvent = StartedEvent | ProgressEvent | BlockEvent<LoopBlock>;

/** The protocol's code for arguments that a tool does not take, and for any other failure. */
const invalidParams = -32_602;
const internalError = -32_603;

interface WantedCall {
  readonly name: string;
  readonly schema: JsonObject | null | undefined;
  readonly arguments: string;
}

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
