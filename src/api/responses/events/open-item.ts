import type { GeneratedTokenLogprob } from '../../../engine/generation.ts';
import type { JsonObject } from '../../../engine/types.ts';
import { toWireTokens } from '../../generation/completion-wire.ts';
import { createWireId } from '../../generation/wire-id.ts';
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

/** What a request says of thoughts. */
export interface ThoughtOptions {
  /** Where items have them. */
  readonly place: 'content' | 'summary';
  /** Items have them packed as well, as `encrypted_content`. */
  readonly packed: boolean;
}

/** An item that the model is generating, and its events. */
export class OpenItem {
  readonly #index: number;
  readonly #empty: OutputItem;
  readonly #packsThought: boolean;
  readonly #input: TextInputReader | undefined;
  readonly #logprobs: Logprobs = [];
  #text = '';

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

  /** The whole item, which ends with `status`, and the events of its end. */
  close(status: FinalStatus): { readonly item: OutputItem; readonly events: UnnumberedEvent[] } {
    const item = this.#whole(status);
    return { item, events: closingEvents(item, this.#index) };
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

/** A call of `tool` without arguments. */
export function newCall({ kind, name, namespace }: CalledTool): OutputItem {
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
