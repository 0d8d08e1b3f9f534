import type { GeneratedTokenLogprob } from '../../../engine/generation.ts';
import { createWireId } from '../../generation/wire-id.ts';
import { toWireTokens } from '../../generation/completion-wire.ts';
import { packText } from './packed-text.ts';
import type { ResponseEvent } from '../events/event-schema.ts';
import type { ItemStatus, OutputItem, OutputItemOf } from './items.ts';

type OutputMessage = OutputItemOf<'message'>;
type Reasoning = OutputItemOf<'reasoning'>;

/** An event before it gets its number. */
export type UnnumberedEvent = ResponseEvent extends infer Event
  ? Event extends ResponseEvent
    ? Omit<Event, 'sequence_number'>
    : never
  : never;

/** The states in which an item can end. */
export type FinalStatus = Exclude<ItemStatus, 'in_progress'>;

/** An item that the model is generating, and its events. Every event is a snapshot of the item. */
export interface OpenItem {
  /** The item as far as it is generated. */
  readonly item: OutputItem;
  open(): UnnumberedEvent[];
  close(status: FinalStatus): UnnumberedEvent[];
}

/** A message with the text of the answer. */
export class OpenMessage implements OpenItem {
  readonly #index: number;
  readonly #id = createWireId('msg');
  readonly #logprobs: ReturnType<typeof toWireTokens> = [];
  #text = '';
  #status: ItemStatus = 'in_progress';

  constructor(index: number) {
    this.#index = index;
  }

  get item(): OutputMessage {
    return this.#toItem([this.#part]);
  }

  open(): UnnumberedEvent[] {
    return [
      { type: 'response.output_item.added', output_index: this.#index, item: this.#toItem([]) },
      { type: 'response.content_part.added', ...this.#place, part: this.#part },
    ];
  }

  write(text: string, tokens: readonly GeneratedTokenLogprob[]): UnnumberedEvent[] {
    const logprobs = toWireTokens(tokens);
    this.#text += text;
    // Not with `...`: one event may carry more than a function takes as arguments.
    for (const logprob of logprobs) this.#logprobs.push(logprob);
    return [{ type: 'response.output_text.delta', ...this.#place, delta: text, logprobs }];
  }

  close(status: FinalStatus): UnnumberedEvent[] {
    this.#status = status;
    const part = this.#part;
    const { text, logprobs } = part;
    return [
      { type: 'response.output_text.done', ...this.#place, text, logprobs },
      { type: 'response.content_part.done', ...this.#place, part },
      { type: 'response.output_item.done', output_index: this.#index, item: this.item },
    ];
  }

  #toItem(content: OutputMessage['content']): OutputMessage {
    return { type: 'message', id: this.#id, status: this.#status, role: 'assistant', content };
  }

  get #part() {
    return { type: 'output_text' as const, text: this.#text, annotations: [], logprobs: [...this.#logprobs] };
  }

  get #place() {
    return { item_id: this.#id, output_index: this.#index, content_index: 0 };
  }
}

/** A thought before the answer. */
export class OpenReasoning implements OpenItem {
  readonly #index: number;
  readonly #id = createWireId('rs');
  readonly #withPacked: boolean;
  #text = '';
  #status: ItemStatus = 'in_progress';

  constructor(index: number, options: { withPacked: boolean }) {
    this.#index = index;
    this.#withPacked = options.withPacked;
  }

  get item(): Reasoning {
    return {
      ...this.#toItem([this.#part]),
      ...(this.#withPacked && { encrypted_content: packText('thought', this.#text) }),
    };
  }

  open(): UnnumberedEvent[] {
    return [
      { type: 'response.output_item.added', output_index: this.#index, item: this.#toItem([]) },
      { type: 'response.content_part.added', ...this.#place, part: this.#part },
    ];
  }

  write(text: string): UnnumberedEvent[] {
    this.#text += text;
    return [{ type: 'response.reasoning_text.delta', ...this.#place, delta: text }];
  }

  close(status: FinalStatus): UnnumberedEvent[] {
    this.#status = status;
    return [
      { type: 'response.reasoning_text.done', ...this.#place, text: this.#text },
      { type: 'response.content_part.done', ...this.#place, part: this.#part },
      { type: 'response.output_item.done', output_index: this.#index, item: this.item },
    ];
  }

  #toItem(content: Reasoning['content']): Reasoning {
    return { type: 'reasoning', id: this.#id, summary: [], content, status: this.#status };
  }

  get #part() {
    return { type: 'reasoning_text' as const, text: this.#text };
  }

  get #place() {
    return { item_id: this.#id, output_index: this.#index, content_index: 0 };
  }
}
