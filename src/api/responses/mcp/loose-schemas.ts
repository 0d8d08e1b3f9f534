import { AppError } from '../../../errors/errors.ts';
import type { GenerationRequest, ToolDefinition } from '../../../engine/types.ts';
import type { OfferedTool, ServerTool } from '../tools/offered-tools.ts';

/**
 * The schemas of servers' tools that no answer can be held to. The client, which never sent them, is not told: the model
 * reads such a schema in the tool's description, and may write any object.
 */
export class LooseSchemas {
  readonly #tools: readonly OfferedTool[];
  readonly #onLoose: (tool: ServerTool, error: AppError) => void;
  readonly #names = new Set<string>();

  constructor(tools: readonly OfferedTool[], onLoose: (tool: ServerTool, error: AppError) => void) {
    this.#tools = tools;
    this.#onLoose = onLoose;
  }

  has({ name }: OfferedTool): boolean {
    return this.#names.has(name);
  }

  /** Whether `error` refuses the schema of a server's tool of `request`, which is held loosely from now on. */
  takes(error: unknown, { tools }: GenerationRequest): boolean {
    if (!(error instanceof AppError)) return false;
    const index = /^tools\[(\d+)\]/.exec(error.param ?? '')?.[1];
    const name = index === undefined ? undefined : tools?.definitions[Number(index)]?.name;
    const tool = this.#tools.find((one) => one.name === name);
    if (tool?.called.kind !== 'mcp' || this.has(tool)) return false;
    this.#names.add(tool.name);
    this.#onLoose(tool.called, error);
    return true;
  }

  apply(request: GenerationRequest): GenerationRequest {
    const { tools } = request;
    if (tools === undefined || this.#names.size === 0) return request;
    const definitions = tools.definitions.map((one) => (this.#names.has(one.name) ? loosened(one) : one));
    return { ...request, tools: { ...tools, definitions } };
  }
}

function loosened({ name, description = '', parameters }: ToolDefinition): ToolDefinition {
  const schema = `The schema of its arguments: ${JSON.stringify(parameters)}`;
  return { name, description: `${description}\n\n${schema}`.trimStart(), parameters: { type: 'object' } };
}
