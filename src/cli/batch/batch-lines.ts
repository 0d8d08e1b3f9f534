const chat = '/v1/chat/completions';

/**
 * The lines of a batch, from a file of requests or texts: a line that is a request gets the model where it names none, any
 * other line becomes the question of a chat. `endpoint` tells, once the lines were read, what the first one asks.
 */
export function toBatchLines(source: AsyncIterable<string>, model: string) {
  let endpoint: string | undefined;
  async function* lines(): AsyncGenerator<string> {
    let number = 0;
    for await (const text of source) {
      number++;
      if (text.trim() === '') continue;
      const request = toRequest(text) ?? {
        custom_id: `line-${number}`,
        method: 'POST',
        url: chat,
        body: { messages: [{ role: 'user', content: text }] },
      };
      endpoint ??= typeof request['url'] === 'string' ? request['url'] : undefined;
      const body = typeof request['body'] === 'object' ? { model, ...request['body'] } : request['body'];
      yield `${JSON.stringify({ ...request, body })}\n`;
    }
  }
  return { lines: lines(), endpoint: () => endpoint ?? chat };
}

/** undefined: it is a text. */
function toRequest(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    return Object.hasOwn(value, 'custom_id') ? value : undefined;
  } catch {
    return undefined;
  }
}
