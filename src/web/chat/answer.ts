import { signal } from '@preact/signals';
import { ApiError, eventsOf } from '../api/request.ts';
import type { ChatEvent } from '../api/types.ts';
import { messageOf } from '../state/polled.ts';
import { asUser } from '../state/session.ts';
import {
  append,
  newId,
  type AnswerStats,
  type Message,
  type ToolCall,
} from './conversations/conversation.ts';
import { changeConversation, findConversation } from './conversations/store.ts';
import { toChatRequest } from './request.ts';

/** An answer that is being written. */
export interface LiveAnswer {
  readonly conversationId: string;
  readonly message: Message;
  stop(): void;
}

/** The answers that are being written now, in whatever conversation. */
export const liveAnswers = signal<readonly LiveAnswer[]>([]);

/** What is gathered of a stream. It is shown once per frame, however fast the tokens come. */
class Draft {
  readonly id = newId();
  content = '';
  reasoning = '';
  readonly calls: { id: string; name: string; arguments: string }[] = [];
  finish: Message['finish'];
  usage: { promptTokens: number; cachedTokens: number; completionTokens: number } | undefined;
  readonly #sentAtMs = performance.now();
  #firstAtMs: number | undefined;
  #lastAtMs = 0;
  #textAtMs: number | undefined;

  take(event: ChatEvent): void {
    if ('error' in event)
      throw new ApiError(event.error.message, { code: event.error.code ?? '', status: 500 });
    const { usage } = event;
    if (usage !== null && usage !== undefined) this.usage = toUsage(usage as WireUsage);
    const choice = event.choices[0];
    if (choice === undefined) return;
    const { content, reasoning_content: reasoning, tool_calls: calls } = choice.delta;
    if (content !== undefined || reasoning !== undefined || calls !== undefined) {
      this.#lastAtMs = performance.now();
      this.#firstAtMs ??= this.#lastAtMs;
    }
    this.reasoning += reasoning ?? '';
    this.content += content ?? '';
    if ((content ?? '') !== '' || calls !== undefined) this.#textAtMs ??= this.#lastAtMs;
    for (const call of calls ?? []) {
      // The page offers functions and no custom tools.
      if (!('function' in call)) continue;
      if ('id' in call) this.calls[call.index] = { id: call.id, ...call.function };
      else {
        const begun = this.calls[call.index];
        if (begun !== undefined) begun.arguments += call.function.arguments;
      }
    }
    this.finish = choice.finish_reason ?? this.finish;
  }

  toMessage(parentId: string | null, model: string): Message {
    const firstAtMs = this.#firstAtMs;
    const calls: readonly ToolCall[] = this.calls.map((call) => ({ ...call }));
    const stats: AnswerStats | undefined =
      this.usage === undefined || firstAtMs === undefined
        ? undefined
        : {
            ...this.usage,
            firstTokenMs: firstAtMs - this.#sentAtMs,
            generationMs: this.#lastAtMs - firstAtMs,
          };
    return {
      id: this.id,
      parentId,
      role: 'assistant',
      model,
      content: this.content,
      ...(this.reasoning !== '' && {
        reasoning: this.reasoning,
        reasoningMs: (this.#textAtMs ?? this.#lastAtMs) - (firstAtMs ?? this.#lastAtMs),
      }),
      ...(calls.length > 0 && { toolCalls: calls }),
      ...(this.finish !== undefined && { finish: this.finish }),
      ...(stats !== undefined && { stats }),
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

/** Has `model` answer the end of the shown branch. The answer joins the conversation when it has ended. */
export async function answer(conversationId: string, model: string): Promise<void> {
  const conversation = findConversation(conversationId);
  if (conversation === undefined) return;
  const { leafId: parentId } = conversation;
  const leaving = new AbortController();
  const draft = new Draft();
  const live = show({
    conversationId,
    message: draft.toMessage(parentId, model),
    stop: () => leaving.abort(),
  });
  let failure: Pick<Message, 'error' | 'retryAtMs'> = {};
  try {
    const body = toChatRequest(conversation, model);
    const response = await asUser('chat/completions', { method: 'POST', body, signal: leaving.signal });
    for await (const event of eventsOf<ChatEvent>(response)) {
      draft.take(event);
      live.update(() => draft.toMessage(parentId, model));
    }
  } catch (thrown) {
    if (leaving.signal.aborted) draft.finish = 'stopped';
    else failure = toFailure(thrown);
  }
  live.end();
  const message = draft.toMessage(parentId, model);
  changeConversation(conversationId, (old) => {
    // The person may have turned to another branch meanwhile, and stays there.
    const grown = append({ ...old, leafId: parentId }, { ...message, ...failure });
    return old.leafId === parentId ? grown : { ...grown, leafId: old.leafId };
  });
}

function toFailure(thrown: unknown): Pick<Message, 'error' | 'retryAtMs'> {
  const error = messageOf(thrown);
  const seconds = thrown instanceof ApiError ? thrown.retryAfterSeconds : undefined;
  return seconds === undefined ? { error } : { error, retryAtMs: Date.now() + seconds * 1000 };
}

/** Puts an answer among those that are being written; it is shown again at most once per frame. */
function show(first: LiveAnswer): { update(read: () => Message): void; end(): void } {
  let frame: number | undefined;
  const replace = (message: Message) => {
    liveAnswers.value = liveAnswers.value.map((other) =>
      other.message.id === message.id ? { ...other, message } : other,
    );
  };
  liveAnswers.value = [...liveAnswers.value, first];
  return {
    update(read) {
      frame ??= requestAnimationFrame(() => {
        frame = undefined;
        replace(read());
      });
    },
    end() {
      if (frame !== undefined) cancelAnimationFrame(frame);
      liveAnswers.value = liveAnswers.value.filter(({ message }) => message.id !== first.message.id);
    },
  };
}
