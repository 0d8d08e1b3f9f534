import { loadModelId } from './limited-server.ts';

export interface Question {
  /** Makes the prompt longer. */
  readonly words: number;
  /** Tokens to generate. */
  readonly maxTokens: number;
  readonly stream: boolean;
}

/** One request, as its client saw it. */
export type Outcome =
  | { readonly kind: 'answered'; readonly promptTokens: number; readonly completionTokens: number }
  | { readonly kind: 'refused'; readonly retryAfterSeconds: number }
  /** The connection broke, as kills have it. */
  | { readonly kind: 'broken' }
  /** Anything that should never happen. */
  | { readonly kind: 'wrong'; readonly reason: string };

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

/** A request that takes longer hangs. */
const timeoutMs = 60_000;

/** One chat request, read to its end; never throws. */
export async function ask(
  { baseUrl, secret }: { baseUrl: string; secret: string },
  { words, maxTokens, stream }: Question,
): Promise<Outcome> {
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: loadModelId,
        messages: [{ role: 'user', content: 'on '.repeat(words) }],
        max_tokens: maxTokens,
        ignore_eos: true,
        ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
      }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (response.status === 429) return toRefusal(response.headers, text);
    if (response.status !== 200) return { kind: 'wrong', reason: `${response.status}: ${text}` };
    const usage = stream ? usageOfStream(text) : (JSON.parse(text) as { usage: Usage }).usage;
    if (usage === undefined) return { kind: 'broken' };
    return {
      kind: 'answered',
      promptTokens: usage.prompt_tokens,
      completionTokens: usage.completion_tokens,
    };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return isTimeout ? { kind: 'wrong', reason: `no answer within ${timeoutMs} ms` } : { kind: 'broken' };
  }
}

/** The refusal, after checking that it says the same thing everywhere. */
function toRefusal(headers: Headers, text: string): Outcome {
  const header = headers.get('retry-after') ?? '';
  const { error } = JSON.parse(text) as { error: Record<string, unknown> };
  const inMessage = /Try again in (\d+) seconds?:/.exec(String(error['message']))?.[1];
  const isAsSpecified =
    /^[1-9]\d*$/.test(header) &&
    inMessage === header &&
    error['type'] === 'rate_limit_error' &&
    error['code'] === 'rate_limit_exceeded' &&
    error['param'] === null;
  if (!isAsSpecified) return { kind: 'wrong', reason: `Retry-After: ${header}, ${text}` };
  return { kind: 'refused', retryAfterSeconds: Number(header) };
}

/** undefined: the stream broke off. */
function usageOfStream(text: string): Usage | undefined {
  if (!text.trimEnd().endsWith('data: [DONE]')) return undefined;
  const line = text.split('\n').findLast((one) => one.startsWith('data: {'));
  return line === undefined ? undefined : (JSON.parse(line.slice(6)) as { usage: Usage }).usage;
}
