import { Agent, request } from 'node:http';
import { quantile } from '../../../src/cli/bench/statistics.ts';

/** A server to ask, and the key for it. */
export interface AskedServer {
  readonly baseUrl: string;
  readonly key: string;
}

/** When the parts of one streamed answer came, in milliseconds. */
export interface StreamTimes {
  readonly totalMs: number;
  readonly gapsMs: readonly number[];
}

const agent = new Agent({ keepAlive: true });

/** The times of one streamed chat of `tokens` tokens. */
export function streamOnce(server: AskedServer, model: string, tokens: number): Promise<StreamTimes> {
  const body = JSON.stringify({
    model,
    stream: true,
    max_tokens: tokens,
    messages: [{ role: 'user', content: 'Hi' }],
  });
  const { promise, resolve, reject } = Promise.withResolvers<StreamTimes>();
  const startedAtMs = performance.now();
  const asked = request(`${server.baseUrl}/chat/completions`, {
    method: 'POST',
    agent,
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${server.key}`,
    },
  });
  asked.once('error', reject);
  asked.once('response', (response) => {
    const gapsMs: number[] = [];
    let lastMs: number | undefined;
    let tail = '';
    response.setEncoding('utf8').on('data', (piece: string) => {
      const nowMs = performance.now();
      if (lastMs !== undefined) gapsMs.push(nowMs - lastMs);
      lastMs = nowMs;
      tail = (tail + piece).slice(-32);
    });
    response.once('end', () => {
      if (tail.endsWith('[DONE]\n\n')) resolve({ totalMs: performance.now() - startedAtMs, gapsMs });
      else reject(new Error(`${server.baseUrl} answered ${response.statusCode} and …${tail}`));
    });
  });
  asked.end(body);
  return promise;
}

/** Median time of answers of one token, one after the other. */
export async function medianMs(server: AskedServer, requests: number): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < requests; count++) times.push((await streamOnce(server, 'pace-0', 1)).totalMs);
  return quantile(times, 0.5) ?? 0;
}

/** The 99th percentile of the gaps within `streams` streams at a time, each of 60 tokens at 20 a second. */
export async function worstGapMs(server: AskedServer, streams: number): Promise<number> {
  const answers = Array.from({ length: streams }, async (_, index) => {
    // Real clients do not come in step.
    await new Promise((resolve) => setTimeout(resolve, (50 * index) / streams));
    return await streamOnce(server, 'pace-50', 60);
  });
  const gaps = (await Promise.all(answers)).flatMap(({ gapsMs }) => gapsMs);
  return quantile(gaps, 0.99) ?? 0;
}
