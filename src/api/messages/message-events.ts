import type { FinishedGeneration, GenerationEvent, Usage } from '../../engine/generation.ts';
import type { AppError } from '../../errors/errors.ts';
import type { StreamedAnswer, WholeAnswer } from '../generation/serve-generation.ts';
import { namedEvents } from '../generation/wire/sse.ts';
import { createWireId } from '../generation/wire/wire-id.ts';
import { toAnthropicError } from './dialect.ts';
import type { BlockDelta, ContentBlock, DeltaUsage, Message, MessageEvent } from './response-schema.ts';
import { signThought } from './thought-signature.ts';

type Ending = Pick<Message, 'container' | 'stop_details' | 'stop_reason' | 'stop_sequence'>;

export interface MessageOptions {
  /** The name in the request: an alias stays an alias. */
  readonly model: string;
  /** The most tokens that were asked for. */
  readonly maxTokens: number;
  /** The client gets the signatures of thoughts, and not their text. */
  readonly omitsThoughts: boolean;
  readonly signingKey: Uint8Array;
}

/** One message while it is generated: its content so far, and Anthropic's events. */
export class MessageEvents implements WholeAnswer<GenerationEvent, FinishedGeneration> {
  readonly #options: MessageOptions;
  readonly #head: Pick<Message, 'id' | 'type' | 'role' | 'model' | 'diagnostics'>;
  /** The last block is open. */
  readonly #content: ContentBlock[] = [];
  /** The thought of the open block, or the arguments of its call. */
  #text = '';

  constructor(options: MessageOptions) {
    this.#options = options;
    const id = createWireId('msg');
    this.#head = { id, type: 'message', role: 'assistant', model: options.model, diagnostics: null };
  }

  add(event: GenerationEvent): MessageEvent[] {
    switch (event.type) {
      case 'started': {
        const usage = toMessageUsage({ ...event, completionTokens: 0, reasoningTokens: 0 });
        return [{ type: 'message_start', message: { ...this.#head, content: [], ...notEnded, usage } }];
      }
      case 'text': {
        if (event.text === '') return [];
        const { block, opened } = this.#continue({ type: 'text', text: '' });
        block.text += event.text;
        return [...opened, this.#delta({ type: 'text_delta', text: event.text })];
      }
      case 'reasoning': {
        if (event.text === '') return [];
        const { block, opened } = this.#continue({ type: 'thinking', thinking: '', signature: '' });
        this.#text += event.text;
        if (this.#options.omitsThoughts) return opened;
        block.thinking += event.text;
        return [...opened, this.#delta({ type: 'thinking_delta', thinking: event.text })];
      }
      case 'tool-call': {
        const id = createWireId('toolu');
        return this.#open({ type: 'tool_use', id, caller: { type: 'direct' }, name: event.name, input: {} });
      }
      case 'tool-arguments':
        if (event.text === '') return [];
        this.#text += event.text;
        return [this.#delta({ type: 'input_json_delta', partial_json: event.text })];
      default:
        return event satisfies never;
    }
  }

  /** The events that end the last block. */
  close(): MessageEvent[] {
    const block = this.#content.at(-1);
    if (block === undefined) return [];
    const text = this.#text;
    this.#text = '';
    const index = this.#content.length - 1;
    if (block.type === 'tool_use') block.input = parseInput(text);
    if (block.type !== 'thinking') return [{ type: 'content_block_stop', index }];
    const { signingKey, omitsThoughts } = this.#options;
    block.signature = signThought(text, signingKey, { carriesText: omitsThoughts });
    const signed = this.#delta({ type: 'signature_delta', signature: block.signature });
    return [signed, { type: 'content_block_stop', index }];
  }

  ending({ finishReason, stopSequence, usage }: FinishedGeneration): Ending {
    const isFull = usage.completionTokens < this.#options.maxTokens;
    const reasons = {
      stop: stopSequence === undefined ? 'end_turn' : 'stop_sequence',
      length: isFull ? 'model_context_window_exceeded' : 'max_tokens',
      tool_calls: 'tool_use',
    } as const;
    return { ...notEnded, stop_reason: reasons[finishReason], stop_sequence: stopSequence ?? null };
  }

  body(end: FinishedGeneration): Message {
    this.close();
    const usage = toMessageUsage(end.usage);
    return { ...this.#head, content: this.#content, ...this.ending(end), usage };
  }

  /** The open block if it is of the same type, otherwise `fresh` and the events that begin it. */
  #continue<Block extends ContentBlock>(fresh: Block): { block: Block; opened: MessageEvent[] } {
    const last = this.#content.at(-1);
    if (last?.type === fresh.type) return { block: last as Block, opened: [] };
    return { block: fresh, opened: this.#open(fresh) };
  }

  #open(block: ContentBlock): MessageEvent[] {
    const closed = this.close();
    const index = this.#content.push(block) - 1;
    return [...closed, { type: 'content_block_start', index, content_block: { ...block } }];
  }

  #delta(delta: BlockDelta): MessageEvent {
    return { type: 'content_block_delta', index: this.#content.length - 1, delta };
  }
}

/** The server-sent events of a message. */
export class StreamedMessage implements StreamedAnswer<GenerationEvent, FinishedGeneration> {
  readonly ping = namedEvents([{ type: 'ping' }]);
  readonly #events: MessageEvents;
  readonly #requestId: string;

  constructor(events: MessageEvents, requestId: string) {
    this.#events = events;
    this.#requestId = requestId;
  }

  begin(): string {
    return '';
  }

  add(event: GenerationEvent): string {
    return namedEvents(this.#events.add(event));
  }

  *end(end: FinishedGeneration): Iterable<string> {
    const [delta, usage] = [this.#events.ending(end), toDeltaUsage(end.usage)];
    const ended: MessageEvent[] = [{ type: 'message_delta', delta, usage }, { type: 'message_stop' }];
    yield namedEvents([...this.#events.close(), ...ended]);
  }

  fail(error: AppError): string {
    return namedEvents([toAnthropicError(error, this.#requestId)]);
  }
}

const notEnded = { container: null, stop_details: null, stop_reason: null, stop_sequence: null } as const;

/** The arguments of a call; none where it was cut off. */
function parseInput(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function toDeltaUsage({ promptTokens, cachedTokens, completionTokens, reasoningTokens }: Usage): DeltaUsage {
  return {
    input_tokens: promptTokens - cachedTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: 0,
    output_tokens: completionTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
    server_tool_use: null,
  };
}

function toMessageUsage(usage: Usage): Message['usage'] {
  const rest = { cache_creation: null, inference_geo: null, service_tier: 'standard', speed: null } as const;
  return { ...toDeltaUsage(usage), ...rest };
}
