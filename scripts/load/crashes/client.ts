/** One streamed answer as its client saw it; times are Unix ms. */
export interface Seen {
  readonly modelId: string;
  readonly endedMs: number;
  /** When pieces with tokens came. */
  readonly arrivalsMs: readonly number[];
  /** Tokens that came. */
  readonly tokens: number;
  /** `whole`, the code of the error that ended it, `cut` without either, or `endless`. */
  readonly end: string;
  /** Tokens that the server says it charged for; undefined where the answer is not whole. */
  readonly chargedTokens: number | undefined;
}

/** A request that takes longer never ends. */
const endlessMs = 60_000;

/** Streams an answer of exactly `tokens` tokens; never rejects. */
export async function streamAnswer(
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
  modelId: string,
  tokens: number,
): Promise<Seen> {
  const arrivalsMs: number[] = [];
  let text = '';
  let end: string | undefined;
  try {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: modelId,
        messages: [{ role: 'user', content: 'Tell me about the sea.' }],
        max_tokens: tokens,
        ignore_eos: true,
        stream: true,
        stream_options: { include_usage: true },
        logprobs: true,
      }),
      signal: AbortSignal.timeout(endlessMs),
    });
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) {
      const part = decoder.decode(piece, { stream: true });
      if (part.includes('"logprob":')) arrivalsMs.push(Date.now());
      text += part;
    }
  } catch (error) {
    end = error instanceof Error && error.name === 'TimeoutError' ? 'endless' : 'cut';
  }
  const isWhole = text.endsWith('data: [DONE]\n\n');
  const usage = /"completion_tokens":(\d+)/.exec(text)?.[1];
  return {
    modelId,
    endedMs: Date.now(),
    arrivalsMs,
    tokens: text.match(/"logprob":/g)?.length ?? 0,
    end: end ?? (isWhole ? 'whole' : (/"code": ?"(\w+)"/.exec(text)?.[1] ?? 'cut')),
    chargedTokens: isWhole && usage !== undefined ? Number(usage) : undefined,
  };
}

/** The longest pause within one of these answers that ended between two times. */
export function longestPauseMs(answers: readonly Seen[], fromMs: number, untilMs: number): number {
  let longestMs = 0;
  for (const { arrivalsMs } of answers)
    for (const [index, atMs] of arrivalsMs.entries()) {
      const beforeMs = arrivalsMs[index - 1];
      if (beforeMs !== undefined && atMs >= fromMs && atMs <= untilMs)
        longestMs = Math.max(longestMs, atMs - beforeMs);
    }
  return longestMs;
}
