import type { JsonObject } from '../../../engine/types.ts';
import { createWireId } from '../../generation/wire-id.ts';
import { TextInputReader } from '../../parameters/tools/custom-tools.ts';
import type { CalledTool } from '../tools/offered-tools.ts';
import type { ItemStatus, OutputItemOf } from './items.ts';
import type { FinalStatus, OpenItem, UnnumberedEvent } from './output-items.ts';

/** A call that the model is writing. */
export interface OpenCall extends OpenItem {
  /** Takes the next piece of the arguments. */
  write(text: string): UnnumberedEvent[];
}

/** A call of `tool` that has just begun, as the output item of that index. */
export function openCall(index: number, tool: CalledTool): OpenCall {
  switch (tool.kind) {
    case 'function':
      return new OpenFunctionCall(index, tool);
    case 'custom':
      return new OpenCustomCall(index, tool);
    case 'tool_search':
      return new OpenToolSearch(index);
    default:
      return tool.kind satisfies never;
  }
}

const nameOf = ({ name, namespace }: CalledTool) => ({ name, ...(namespace !== undefined && { namespace }) });

/** A call of one of the client's functions. */
class OpenFunctionCall implements OpenCall {
  readonly #index: number;
  readonly #id = createWireId('fc');
  readonly #callId = createWireId('call');
  readonly #tool: CalledTool;
  #arguments = '';
  #status: ItemStatus = 'in_progress';

  constructor(index: number, tool: CalledTool) {
    this.#index = index;
    this.#tool = tool;
  }

  get item(): OutputItemOf<'function_call'> {
    return {
      type: 'function_call',
      id: this.#id,
      call_id: this.#callId,
      ...nameOf(this.#tool),
      arguments: this.#arguments,
      status: this.#status,
    };
  }

  open(): UnnumberedEvent[] {
    return [{ type: 'response.output_item.added', output_index: this.#index, item: this.item }];
  }

  write(text: string): UnnumberedEvent[] {
    this.#arguments += text;
    return [{ type: 'response.function_call_arguments.delta', ...this.#place, delta: text }];
  }

  close(status: FinalStatus): UnnumberedEvent[] {
    this.#status = status;
    return [
      {
        type: 'response.function_call_arguments.done',
        ...this.#place,
        name: this.#tool.name,
        arguments: this.#arguments,
      },
      { type: 'response.output_item.done', output_index: this.#index, item: this.item },
    ];
  }

  get #place() {
    return { item_id: this.#id, output_index: this.#index };
  }
}

/** A call of a tool that takes free text. */
class OpenCustomCall implements OpenCall {
  readonly #index: number;
  readonly #id = createWireId('ctc');
  readonly #callId = createWireId('call');
  readonly #tool: CalledTool;
  readonly #reader = new TextInputReader();
  #input = '';
  #status: ItemStatus = 'in_progress';

  constructor(index: number, tool: CalledTool) {
    this.#index = index;
    this.#tool = tool;
  }

  get item(): OutputItemOf<'custom_tool_call'> {
    return {
      type: 'custom_tool_call',
      id: this.#id,
      call_id: this.#callId,
      ...nameOf(this.#tool),
      input: this.#input,
      status: this.#status,
    };
  }

  open(): UnnumberedEvent[] {
    return [{ type: 'response.output_item.added', output_index: this.#index, item: this.item }];
  }

  write(text: string): UnnumberedEvent[] {
    const delta = this.#reader.read(text);
    this.#input += delta;
    return delta === '' ? [] : [{ type: 'response.custom_tool_call_input.delta', ...this.#place, delta }];
  }

  close(status: FinalStatus): UnnumberedEvent[] {
    this.#status = status;
    return [
      { type: 'response.custom_tool_call_input.done', ...this.#place, input: this.#input },
      { type: 'response.output_item.done', output_index: this.#index, item: this.item },
    ];
  }

  get #place() {
    return { item_id: this.#id, output_index: this.#index };
  }
}

/** A search for tools, which the client does. It has no events of its own. */
class OpenToolSearch implements OpenCall {
  readonly #index: number;
  readonly #id = createWireId('tsc');
  readonly #callId = createWireId('call');
  #arguments = '';
  #status: ItemStatus = 'in_progress';

  constructor(index: number) {
    this.#index = index;
  }

  get item(): OutputItemOf<'tool_search_call'> {
    return {
      type: 'tool_search_call',
      id: this.#id,
      call_id: this.#callId,
      execution: 'client',
      // Arguments that were cut off are no JSON.
      arguments: this.#status === 'completed' ? (JSON.parse(this.#arguments) as JsonObject) : {},
      status: this.#status,
    };
  }

  open(): UnnumberedEvent[] {
    return [{ type: 'response.output_item.added', output_index: this.#index, item: this.item }];
  }

  write(text: string): UnnumberedEvent[] {
    this.#arguments += text;
    return [];
  }

  close(status: FinalStatus): UnnumberedEvent[] {
    this.#status = status;
    return [{ type: 'response.output_item.done', output_index: this.#index, item: this.item }];
  }
}
