/** One answered request; times are Unix ms. */
export interface Served {
  readonly modelId: string;
  readonly sentMs: number;
  readonly firstTokenMs: number;
  readonly endedMs: number;
  /** undefined: it was answered in full. */
  readonly failure: string | undefined;
}

/** Streams an answer of exactly `outputTokens` tokens from a model; never rejects. */
export async function ask(
  server: { readonly baseUrl: string; readonly apiKey: string },
  modelId: string,
  outputTokens: number,
  further: Readonly<Record<string, unknown>> = {},
): Promise<Served> {
  const sentMs = Date.now();
  let firstTokenMs = sentMs;
  let text = '';
  let failure: string | undefined;
  try {
    const response = await fetch(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: modelId,
        messages: [{ role: 'user', content: 'Tell me about the sea.' }],
        max_tokens: outputTokens,
        min_tokens: outputTokens,
        ignore_eos: true,
        stream: true,
        ...further,
      }),
    });
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      if (text === '') firstTokenMs = Date.now();
      text += decoder.decode(chunk, { stream: true });
    }
    const isWhole = response.status === 200 && text.endsWith('data: [DONE]\n\n');
    if (!isWhole) failure = `${response.status} ${text.slice(-300)}`;
  } catch (error) {
    failure = String(error);
  }
  return { modelId, sentMs, firstTokenMs, endedMs: Date.now(), failure };
}
