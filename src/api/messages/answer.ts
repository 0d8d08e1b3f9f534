import type { QuoteIndex } from '../../documents/quotes/quote-index.ts';
import { readArguments } from '../../engine/generation/answer.ts';
import type {
  FinishedGeneration,
  Usage,
  AnswerDocument,
  AnswerEvent,
} from '../../engine/generation/generation.ts';
import type { AppError } from '../../errors/errors.ts';
import type { StreamedAnswer } from '../generation/serve-generation.ts';
import { namedEvents } from '../generation/wire/sse.ts';
import { createWireId } from '../generation/wire/wire-id.ts';
import type { TextCitation } from './citations.ts';
import { toAnthropicError } from './dialect.ts';
import type { BlockDelta, ContentBlock, DeltaUsage, Message, MessageEvent } from './operation.ts';
import { quotingBlocks, QuotingBlocks, type QuotingBlock } from './quoting-blocks.ts';
import { signThought } from './thought-signature.ts';

interface MessageOptions {
  /** The name in the request: an alias stays an alias. */
  readonly model: string;
  /** The most tokens that were asked for. */
  readonly maxTokens: number;
  /** The client gets the signatures of thoughts, and not their text. */
  readonly omitsThoughts: boolean;
  readonly signingKey: Uint8Array;
  /** The texts that the answer may quote. */
  readonly quotes: QuoteIndex<TextCitation>;
}

export const toMessage =
  (options: MessageOptions) =>
  async (end: FinishedGeneration, { blocks }: AnswerDocument): Promise<Message> => ({
    ...toHead(options),
    content: (await quotingBlocks(blocks, options.quotes)).map((block) => toContent(block, options)),
    ...toEnding(end, options),
    usage: toMessageUsage(end.usage),
  });

export class MessageStream implements StreamedAnswer<AnswerEvent, FinishedGeneration> {
  readonly ping = namedEvents([{ type: 'ping' }]);
  readonly #options: MessageOptions;
  readonly #requestId: string;
  readonly #blocks: QuotingBlocks;
  /** Of the last block. */
  #index = -1;

  constructor(options: MessageOptions, requestId: string) {
    this.#options = options;
    this.#requestId = requestId;
    this.#blocks = new QuotingBlocks(options.quotes);
  }

  add(event: AnswerEvent): string {
    return namedEvents(this.#blocks.add(event).flatMap((one) => this.#toEvents(one)));
  }

  end(end: FinishedGeneration): Iterable<string> {
    const [delta, usage] = [toEnding(end, this.#options), toDeltaUsage(end.usage)];
    const ended: MessageEvent[] = [{ type: 'message_delta', delta, usage }, { type: 'message_stop' }];
    return [namedEvents(ended)];
  }

  fail(error: AppError): string {
    return namedEvents([toAnthropicError(error, this.#requestId)]);
  }

  #toEvents(event: AnswerEvent): MessageEvent[] {
    switch (event.type) {
      case 'started': {
        const usage = toMessageUsage({ ...event, completionTokens: 0, reasoningTokens: 0 });
        return [
          { type: 'message_start', message: { ...toHead(this.#options), content: [], ...notEnded, usage } },
        ];
      }
      case 'open':
        this.#index++;
        return [{ type: 'content_block_start', index: this.#index, content_block: toContent(event.block) }];
      case 'delta': {
        if (event.text === '') return [];
        if (event.block.type === 'text') return [this.#delta({ type: 'text_delta', text: event.text })];
        if (event.block.type === 'call')
          return [this.#delta({ type: 'input_json_delta', partial_json: event.text })];
        const isShown = !this.#options.omitsThoughts;
        return isShown ? [this.#delta({ type: 'thinking_delta', thinking: event.text })] : [];
      }
      case 'close': {
        const content = toContent(event.block, this.#options);
        const stop: MessageEvent = { type: 'content_block_stop', index: this.#index };
        if (content.type === 'thinking')
          return [this.#delta({ type: 'signature_delta', signature: content.signature }), stop];
        const citations = content.type === 'text' ? content.citations : [];
        return [...citations.map((citation) => this.#delta({ type: 'citations_delta', citation })), stop];
      }
      case 'progress':
        return [];
      default:
        return event satisfies never;
    }
  }

  #delta(delta: BlockDelta): MessageEvent {
    return { type: 'content_block_delta', index: this.#index, delta };
  }
}

const toHead = ({ model }: MessageOptions) =>
  ({ id: createWireId('msg'), type: 'message', role: 'assistant', model, diagnostics: null }) as const;

/** A block on the wire; before anything of it came without `options`. A call that was cut off has no arguments. */
function toContent(block: QuotingBlock, options?: MessageOptions): ContentBlock {
  const text = options === undefined ? '' : block.text;
  const citations = options === undefined || block.citation === undefined ? [] : [block.citation];
  if (block.type === 'text') return { type: 'text', text, citations };
  if (block.type === 'call') {
    const id = createWireId('toolu');
    const input = (options && readArguments(block)) ?? {};
    return { type: 'tool_use', id, caller: { type: 'direct' }, name: block.name, input };
  }
  if (options === undefined) return { type: 'thinking', thinking: '', signature: '' };
  const { omitsThoughts, signingKey } = options;
  const signature = signThought(text, signingKey, { carriesText: omitsThoughts });
  return { type: 'thinking', thinking: omitsThoughts ? '' : text, signature };
}

const notEnded = { container: null, stop_details: null, stop_reason: null, stop_sequence: null } as const;

function toEnding(
  { finishReason, stopSequence, usage }: FinishedGeneration,
  { maxTokens }: MessageOptions,
): Pick<Message, keyof typeof notEnded> {
  const isFull = usage.completionTokens < maxTokens;
  const reasons = {
    stop: stopSequence === undefined ? 'end_turn' : 'stop_sequence',
    length: isFull ? 'model_context_window_exceeded' : 'max_tokens',
    tool_calls: 'tool_use',
  } as const;
  return { ...notEnded, stop_reason: reasons[finishReason], stop_sequence: stopSequence ?? null };
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
