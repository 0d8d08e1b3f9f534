import { PromptClock, type PromptProgress } from '../../../timing/prompt-clock.ts';
import type { ChatEvent, ResponseEvent, ResponseItem } from '../../api/types.ts';
import type { AnswerStats, Message, ToolCall } from '../conversations/conversation.ts';

type AnswerEvent = Exclude<ChatEvent | ResponseEvent, { error: unknown }>;

/** An answer as the events of its stream have told it so far. */
export class Draft {
  finish: Message['finish'];
  readonly #begun: Message;
  readonly #isReplay: boolean;
  #content: string;
  #reasoning: string;
  readonly #calls: { id: string; name: string; arguments: string }[] = [];
  readonly #items: ResponseItem[] = [];
  #usage: { promptTokens: number; cachedTokens: number; completionTokens: number } | undefined;
  readonly #sentAtMs = performance.now();
  readonly #clock = new PromptClock();
  #firstAtMs: number | undefined;
  #progress: Message['progress'];
  #lastAtMs = 0;
  /** How long calls of tools, and reading their outputs, have kept the model from writing. */
  #pausedMs = 0;
  #isPaused = false;
  #textAtMs: number | undefined;

  /** `begun`: the message that the stream continues. `isReplay`: it comes faster than it was written, with no speed. */
  constructor(begun: Message, isReplay: boolean) {
    this.#begun = begun;
    this.#isReplay = isReplay;
    this.#content = begun.content;
    this.#reasoning = begun.reasoning ?? '';
  }

  take(event: AnswerEvent): void {
    if ('type' in event) return this.#takePart(event);
    const { usage, prompt_progress: progress } = event;
    if (progress !== undefined) this.#progress = this.#toProgress(progress);
    if (usage !== null && usage !== undefined) this.#usage = toUsage(usage as WireUsage);
    const choice = event.choices[0];
    if (choice === undefined) return;
    const { content, reasoning_content: reasoning, tool_calls: calls } = choice.delta;
    if (content !== undefined || reasoning !== undefined || calls !== undefined) {
      this.#lastAtMs = performance.now();
      this.#firstAtMs ??= this.#lastAtMs;
    }
    this.#reasoning += reasoning ?? '';
    this.#content += content ?? '';
    if ((content ?? '') !== '' || calls !== undefined) this.#textAtMs ??= this.#lastAtMs;
    for (const call of calls ?? []) {
      // The page offers functions and no custom tools.
      if (!('function' in call)) continue;
      if ('id' in call) this.#calls[call.index] = { id: call.id, ...call.function };
      else {
        const begun = this.#calls[call.index];
        if (begun !== undefined) begun.arguments += call.function.arguments;
      }
    }
    this.finish = choice.finish_reason ?? this.finish;
  }

  /** Takes an event of an answer for which servers' tools are called. */
  #takePart(event: ResponseEvent): void {
    if ('delta' in event) {
      const nowMs = performance.now();
      if (this.#isPaused) this.#pausedMs += nowMs - this.#lastAtMs;
      this.#isPaused = false;
      this.#lastAtMs = nowMs;
      this.#firstAtMs ??= nowMs;
    }
    const { type } = event;
    if (type === 'response.output_text.delta') {
      this.#content += event.delta;
      this.#textAtMs ??= this.#lastAtMs;
    } else if (type === 'response.mcp_call_arguments.delta') {
      const item = this.#items[event.output_index];
      if (item?.type === 'mcp_call')
        this.#items[event.output_index] = { ...item, arguments: item.arguments + event.delta };
    } else if (type === 'response.reasoning_text.delta') this.#reasoning += event.delta;
    else if (type === 'response.in_progress' && event.prompt_progress !== undefined)
      this.#progress = this.#toProgress(event.prompt_progress);
    else if (type === 'response.output_item.added' || type === 'response.output_item.done') {
      const begins = type === 'response.output_item.added' && event.item.type === 'message';
      if (begins && this.#content !== '') this.#content += '\n\n';
      this.#items[event.output_index] = event.item;
      this.#isPaused ||= type === 'response.output_item.done' && event.item.type === 'mcp_call';
    } else if (type === 'response.completed' || type === 'response.incomplete') {
      const { usage, status } = event.response;
      if (usage !== null) this.#usage = toResponseUsage(usage);
      this.finish = status === 'incomplete' ? 'length' : 'stop';
    }
  }

  /** Whether nothing of it came yet. */
  get isEmpty(): boolean {
    return this.#firstAtMs === undefined;
  }

  toMessage(): Message {
    const firstAtMs = this.#firstAtMs;
    const items = [
      ...(this.#begun.items ?? []),
      ...this.#items.filter(({ type }) => type !== 'mcp_list_tools'),
    ];
    const calls: readonly ToolCall[] = [
      ...this.#calls.map((call) => ({ ...call })),
      ...items.flatMap((item) =>
        item.type === 'function_call' ? { id: item.call_id, name: item.name, arguments: item.arguments } : [],
      ),
    ];
    const stats = this.#stats();
    return {
      id: this.#begun.id,
      parentId: this.#begun.parentId,
      role: 'assistant',
      ...(firstAtMs === undefined && this.#progress !== undefined && { progress: this.#progress }),
      ...(this.#begun.model !== undefined && { model: this.#begun.model }),
      content: this.#content,
      ...(this.#reasoning !== '' && {
        reasoning: this.#reasoning,
        reasoningMs:
          this.#begun.reasoningMs ?? (this.#textAtMs ?? this.#lastAtMs) - (firstAtMs ?? this.#lastAtMs),
      }),
      ...(calls.length > 0 && { toolCalls: calls }),
      ...(items.length > 0 && { items }),
      ...(this.finish !== undefined && { finish: this.finish }),
      ...(stats !== undefined && { stats }),
    };
  }

  #toProgress(progress: PromptProgress): Message['progress'] {
    const { processed, total } = progress;
    return { processed, total, leftMs: this.#clock.leftMs(progress) };
  }

  /** Of both parts where the answer was continued. */
  #stats(): AnswerStats | undefined {
    const before = this.#begun.stats;
    const usage = this.#usage;
    const firstAtMs = this.#firstAtMs;
    if (usage === undefined || firstAtMs === undefined) return before;
    return {
      ...usage,
      completionTokens: usage.completionTokens + (before?.completionTokens ?? 0),
      ...(!this.#isReplay && {
        firstTokenMs: before?.firstTokenMs ?? firstAtMs - this.#sentAtMs,
        generationMs: this.#lastAtMs - firstAtMs - this.#pausedMs + (before?.generationMs ?? 0),
      }),
    };
  }
}

const toResponseUsage = (usage: ResponseUsage) => ({
  promptTokens: usage.input_tokens,
  cachedTokens: usage.input_tokens_details.cached_tokens,
  completionTokens: usage.output_tokens,
});

type ResponseUsage = NonNullable<Extract<ResponseEvent, { response: unknown }>['response']['usage']>;

interface WireUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details: { readonly cached_tokens: number };
}

const toUsage = (usage: WireUsage) => ({
  promptTokens: usage.prompt_tokens,
  cachedTokens: usage.prompt_tokens_details.cached_tokens,
  completionTokens: usage.completion_tokens,
});
