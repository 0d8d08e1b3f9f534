import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { performance } from 'node:perf_hooks';
import type { Target } from './target.ts';

export interface BenchMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatResult {
  /** The fault; undefined for a stream that ended with `[DONE]` and held text. */
  readonly error: string | undefined;
  /** From sending to the first text. */
  readonly timeToFirstTokenMs: number | undefined;
  /** Between one piece of text and the next. */
  readonly gapsMs: readonly number[];
  /** Thoughts included. */
  readonly text: string;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}

/** The part of a chat completion chunk that is looked at. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string | null; readonly reasoning_content?: string | null };
  }[];
  readonly usage?: {
    readonly prompt_tokens?: number;
    readonly completion_tokens?: number;
    readonly prompt_tokens_details?: { readonly cached_tokens?: number };
  } | null;
  readonly error?: { readonly message?: string };
}

/**
 * How a streamed chat completion of exactly `outputTokens` tokens went, with the parameters of `extra` as well; never rejects.
 * Each request has a connection of its own: some servers close idle ones at will, which would look like errors.
 */
export function streamChat(
  target: Target,
  messages: readonly BenchMessage[],
  outputTokens: number,
  onFirstText: () => void = () => {},
  extra: Readonly<Record<string, unknown>> = {},
): Promise<ChatResult> {
  const body = JSON.stringify({
    model: target.model,
    messages,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: outputTokens,
    min_tokens: outputTokens,
    ignore_eos: true,
    temperature: 0,
    seed: 42,
    ...extra,
  });
  const url = new URL(`${target.baseUrl}/chat/completions`);
  const headers = {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...(target.apiKey === undefined ? {} : { authorization: `Bearer ${target.apiKey}` }),
  };
  const recorder = new StreamRecorder(onFirstText);
  return new Promise((resolve) => {
    const fail = (error: Error): void => resolve(recorder.finish(error.message));
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = send(url, { method: 'POST', headers, agent: false }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (text: string) => recorder.receive(text));
      response.on('error', fail);
      response.on('end', () => {
        const refused = response.statusCode === 200 ? undefined : `HTTP ${response.statusCode}`;
        resolve(recorder.finish(refused));
      });
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/** Takes a stream of server-sent events apart as it comes in and notes when each piece of text came. */
class StreamRecorder {
  readonly #startedAtMs = performance.now();
  readonly #onFirstText: () => void;
  #textTimesMs: number[] = [];
  #unread = '';
  #text = '';
  #isDone = false;
  #error: string | undefined;
  #usage: Chunk['usage'];

  constructor(onFirstText: () => void) {
    this.#onFirstText = onFirstText;
  }

  receive(text: string): void {
    const nowMs = performance.now();
    this.#unread += text;
    const events = this.#unread.split('\n\n');
    this.#unread = events.pop() ?? '';
    for (const event of events) {
      for (const line of event.split('\n')) {
        if (line.startsWith('data: ')) this.#receiveData(line.slice('data: '.length), nowMs);
      }
    }
  }

  #receiveData(data: string, nowMs: number): void {
    if (data === '[DONE]') {
      this.#isDone = true;
      return;
    }
    let chunk: Chunk;
    try {
      chunk = JSON.parse(data) as Chunk;
    } catch {
      this.#error = `not JSON: ${data.slice(0, 100)}`;
      return;
    }
    if (chunk.error !== undefined) this.#error = chunk.error.message ?? 'error event';
    const { content: said, reasoning_content: thought } = chunk.choices?.[0]?.delta ?? {};
    const content = `${thought ?? ''}${said ?? ''}`;
    if (content !== '') {
      if (this.#textTimesMs.push(nowMs) === 1) this.#onFirstText();
      this.#text += content;
    }
    this.#usage = chunk.usage ?? this.#usage;
  }

  finish(transportError: string | undefined): ChatResult {
    const [firstMs] = this.#textTimesMs;
    const incomplete = this.#isDone && firstMs !== undefined ? undefined : 'the stream ended early';
    const detail = this.#unread.trim().slice(0, 300);
    return {
      error:
        transportError === undefined ? (this.#error ?? incomplete) : `${transportError} ${detail}`.trim(),
      timeToFirstTokenMs: firstMs === undefined ? undefined : firstMs - this.#startedAtMs,
      gapsMs: this.#textTimesMs
        .slice(1)
        .map((timeMs, index) => timeMs - (this.#textTimesMs[index] ?? timeMs)),
      text: this.#text,
      promptTokens: this.#usage?.prompt_tokens ?? 0,
      cachedTokens: this.#usage?.prompt_tokens_details?.cached_tokens ?? 0,
      // Without usage, each piece of text counts as one token.
      completionTokens: this.#usage?.completion_tokens ?? this.#textTimesMs.length,
    };
  }
}
