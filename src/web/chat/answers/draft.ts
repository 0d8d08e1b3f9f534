import { ApiError } from '../../api/request.ts';
import type { ChatEvent } from '../../api/types.ts';
import type { AnswerStats, Message, ToolCall } from '../conversations/conversation.ts';

/** What is gathered of the stream of an answer. */
export class Draft {
  finish: Message['finish'];
  readonly #begun: Message;
  readonly #isReplay: boolean;
  #content: string;
  #reasoning: string;
  readonly #calls: { id: string; name: string; arguments: string }[] = [];
  #usage: { promptTokens: number; cachedTokens: number; completionTokens: number } | undefined;
  readonly #sentAtMs = performance.now();
  #firstAtMs: number | undefined;
  #lastAtMs = 0;
  #textAtMs: number | undefined;

  /** `begun`: what the stream is the rest of. `isReplay`: it comes faster than it was written, which tells no speed. */
  constructor(begun: Message, isReplay: boolean) {
    this.#begun = begun;
    this.#isReplay = isReplay;
    this.#content = begun.content;
    this.#reasoning = begun.reasoning ?? '';
  }

  /** Throws ApiError where the event tells an error. */
  take(event: ChatEvent): void {
    if ('error' in event)
      throw new ApiError(event.error.message, { code: event.error.code ?? '', status: 500 });
    const { usage } = event;
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

  /** Whether nothing of it came yet. */
  get isEmpty(): boolean {
    return this.#firstAtMs === undefined;
  }

  toMessage(): Message {
    const firstAtMs = this.#firstAtMs;
    const calls: readonly ToolCall[] = this.#calls.map((call) => ({ ...call }));
    const stats = this.#stats();
    return {
      id: this.#begun.id,
      parentId: this.#begun.parentId,
      role: 'assistant',
      ...(this.#begun.model !== undefined && { model: this.#begun.model }),
      content: this.#content,
      ...(this.#reasoning !== '' && {
        reasoning: this.#reasoning,
        reasoningMs:
          this.#begun.reasoningMs ?? (this.#textAtMs ?? this.#lastAtMs) - (firstAtMs ?? this.#lastAtMs),
      }),
      ...(calls.length > 0 && { toolCalls: calls }),
      ...(this.finish !== undefined && { finish: this.finish }),
      ...(stats !== undefined && { stats }),
    };
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
        generationMs: this.#lastAtMs - firstAtMs + (before?.generationMs ?? 0),
      }),
    };
  }
}

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
