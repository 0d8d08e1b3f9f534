import type { GeneratedTokenLogprob } from '../../../engine/generation.ts';
import type { JsonObject } from '../../../engine/types.ts';
import { toWireTokens } from '../../generation/wire/completion-wire.ts';
import { createWireId } from '../../generation/wire/wire-id.ts';
import { TextInputReader } from '../../parameters/tools/custom-tools.ts';
import type { ItemStatus, OutputItem } from '../items/items.ts';
import { packText } from '../items/packed-text.ts';
import type { CalledTool } from '../tools/offered-tools.ts';
import {
  closingEvents,
  deltaEvents,
  isSummarised,
  openingEvents,
  type Logprobs,
  type UnnumberedEvent,
} from './item-events.ts';

/** The states in which an item can end. */
export type FinalStatus = Exclude<ItemStatus, 'in_progress'>;

/** How a request wants thoughts shown. */
export interface ThoughtOptions {
  /** Where items have them. */
  readonly place: 'content' | 'summary';
  /** Items have them packed as well, as `encrypted_content`. */
  readonly packed: boolean;
}

/** The outcome of a call: the fields of its item, or the id under which a person is asked. */
export interface CallOutcome {
  readonly fields?: Pick<McpCall, 'status' | 'output' | 'error'>;
  readonly approvalId?: string;
}

type McpCall = Extract<OutputItem, { type: 'mcp_call' }>;

/** An item that the model is generating, and its events. */
export class OpenItem {
  readonly #index: number;
  readonly #empty: OutputItem;
  readonly #packsThought: boolean;
  readonly #input: TextInputReader | undefined;
  readonly #logprobs: Logprobs = [];
  #text = '';
  #outcome: CallOutcome | undefined;

  /** The output item of that index, which has no content yet. */
  constructor(index: number, empty: OutputItem, { packsThought = false } = {}) {
    this.#index = index;
    this.#empty = empty;
    this.#packsThought = packsThought;
    this.#input = empty.type === 'custom_tool_call' ? new TextInputReader() : undefined;
  }

  get type(): OutputItem['type'] {
    return this.#empty.type;
  }

  open(): UnnumberedEvent[] {
    return openingEvents(this.#empty, this.#index);
  }

  /** Takes the next piece of a text, of a thought, or of the arguments of a call. */
  write(text: string, tokens: readonly GeneratedTokenLogprob[] = []): UnnumberedEvent[] {
    const delta = this.#input === undefined ? text : this.#input.read(text);
    if (this.#input !== undefined && delta === '') return [];
    const logprobs = toWireTokens(tokens);
    this.#text += delta;
    // Not with `...`: one event may carry more than a function takes as arguments.
    for (const logprob of logprobs) this.#logprobs.push(logprob);
    return deltaEvents(this.#empty, this.#index, delta, logprobs);
  }

  /** Takes what became of a call that this server makes, or has to ask for. */
  settle(outcome: CallOutcome): void {
    this.#outcome = outcome;
  }

  /** The whole item, which ends with `status`, and the events of its end. */
  close(status: FinalStatus): { readonly item: OutputItem; readonly events: UnnumberedEvent[] } {
    const item = this.#whole(status);
    // A request for a person's approval is shown only now.
    const isNew = item.type !== this.#empty.type;
    return {
      item,
      events: [...(isNew ? openingEvents(item, this.#index) : []), ...closingEvents(item, this.#index)],
    };
  }

  #whole(status: FinalStatus): OutputItem {
    const [empty, text] = [this.#empty, this.#text];
    switch (empty.type) {
      case 'message': {
        const part = { type: 'output_text' as const, text, annotations: [], logprobs: this.#logprobs };
        return { ...empty, status, content: [part] };
      }
      case 'reasoning': {
        const whole: OutputItem = isSummarised(empty)
          ? { ...empty, status, summary: [{ type: 'summary_text', text }] }
          : { ...empty, status, content: [{ type: 'reasoning_text', text }] };
        return this.#packsThought ? { ...whole, encrypted_content: packText('thought', text) } : whole;
      }
      case 'function_call':
        return { ...empty, status, arguments: text };
      case 'custom_tool_call':
        return { ...empty, status, input: text };
      case 'tool_search_call':
        // Arguments that were cut off are no JSON.
        return {
          ...empty,
          status,
          arguments: status === 'completed' ? (JSON.parse(text) as JsonObject) : {},
        };
      case 'mcp_call':
        return { ...empty, arguments: text, status: 'incomplete', ...this.#outcome?.fields };
      case 'mcp_approval_request': {
        const { server_label: label, name } = empty;
        const id = this.#outcome?.approvalId;
        if (id !== undefined) return { ...empty, id, arguments: text };
        // Nobody can allow a call that was cut off.
        return { ...newMcpCall(label, name, null), arguments: text, status: 'incomplete' };
      }
      case 'mcp_list_tools':
        return empty;
      default:
        return empty satisfies never;
    }
  }
}

const status = 'in_progress' as const;

/** A message without text. */
export const newMessage = (): OutputItem => ({
  type: 'message',
  id: createWireId('msg'),
  status,
  role: 'assistant',
  content: [],
});

/** A thought without text, which stands in the item's content or in its summary. */
export const newReasoning = (place: ThoughtOptions['place']): OutputItem => ({
  type: 'reasoning',
  id: createWireId('rs'),
  summary: place === 'summary' ? [{ type: 'summary_text', text: '' }] : [],
  content: [],
  status,
});

/** A call of a server's tool, without arguments. */
export const newMcpCall = (label: string, name: string, approvalId: string | null): McpCall => ({
  type: 'mcp_call',
  id: createWireId('mcp'),
  server_label: label,
  name,
  arguments: '',
  approval_request_id: approvalId,
  output: null,
  error: null,
  status,
});

/** A call of `tool` without arguments. */
export function newCall(tool: CalledTool): OutputItem {
  if (tool.kind === 'mcp') {
    const { name, label, needsApproval } = tool;
    if (!needsApproval) return newMcpCall(label, name, null);
    return {
      type: 'mcp_approval_request',
      id: createWireId('mcpr'),
      server_label: label,
      name,
      arguments: '',
    };
  }
  const { kind, name, namespace } = tool;
  const callId = createWireId('call');
  const named = { call_id: callId, name, ...(namespace !== undefined && { namespace }) };
  switch (kind) {
    case 'function':
      return { type: 'function_call', id: createWireId('fc'), ...named, arguments: '', status };
    case 'custom':
      return { type: 'custom_tool_call', id: createWireId('ctc'), ...named, input: '', status };
    case 'tool_search': {
      const id = createWireId('tsc');
      return { type: 'tool_search_call', id, call_id: callId, execution: 'client', arguments: {}, status };
    }
    default:
      return kind satisfies never;
  }
}
