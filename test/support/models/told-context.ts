import type { RunningServer } from '../server/start-server.ts';

export interface ToldContext {
  /** The context with which the model is listed before its load, and after it. */
  readonly before: number;
  readonly after: number;
  /** The status and the tokens of a request that takes exactly the context told before the load. */
  readonly fits: { readonly status: number; readonly tokens: number | undefined };
  /** The status and the message of one with a token more. */
  readonly refused: { readonly status: number; readonly message: string | undefined };
}

/** A token that every tiny model has: a byte that is no control token. */
const token = 100;

/** The told context of a model, and the one that its requests really get. */
export async function readToldContext({ baseUrl, apiKey }: RunningServer, id: string): Promise<ToldContext> {
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const told = async () => {
    const response = await fetch(`${baseUrl}/models/${id}`, { headers });
    return ((await response.json()) as { context_window: number }).context_window;
  };
  const complete = async (promptTokens: number) => {
    const prompt = Array.from({ length: promptTokens }, () => token);
    const body = JSON.stringify({ model: id, prompt, max_tokens: 1, ignore_eos: true });
    const response = await fetch(`${baseUrl}/completions`, { method: 'POST', headers, body });
    const { usage, error } = (await response.json()) as {
      usage?: { total_tokens: number };
      error?: { message: string };
    };
    return { status: response.status, tokens: usage?.total_tokens, message: error?.message };
  };
  const before = await told();
  const { status, tokens } = await complete(before - 1);
  const refused = await complete(before);
  return {
    before,
    after: await told(),
    fits: { status, tokens },
    refused: { status: refused.status, message: refused.message },
  };
}

/** Whether all of it is true: the same number before and after the load, which fits, and is in the refusal of one more. */
export const isTrue = ({ before, after, fits, refused }: ToldContext): boolean =>
  after === before &&
  fits.status === 200 &&
  fits.tokens === before &&
  refused.status === 400 &&
  refused.message?.includes(String(before)) === true;
