import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.ts';
import { createLimitedServer } from './limited-server.ts';

export interface RetryAfterReport {
  /** The waits that the keys were told, in seconds. */
  readonly waitsSeconds: readonly number[];
  /** Contradictions that were found; empty in a good run. */
  readonly problems: readonly string[];
}

/** Milliseconds that a request is sent earlier than one second too early, since it takes a moment to arrive. */
const marginMs = 100;
const tokensPerMinute = 60;

/**
 * Whether a wait that is told is enough and one second less is not, when nobody else uses the key: each of `keys`
 * keys takes more than it has, by another amount, is refused, and comes back twice.
 */
export async function checkRetryAfter(keys: number): Promise<RetryAfterReport> {
  await using limited = await createLimitedServer({
    tokens: { limits: { outputTokens: { minute: tokensPerMinute } } },
  });
  const server = await limited.start();
  const waitsSeconds: number[] = [];
  const problems: string[] = [];
  const check = async (index: number): Promise<void> => {
    const { secret } = limited.createKey(`waiting ${index}`, 'tokens');
    const target = { baseUrl: server.baseUrl, secret };
    const expectKind = async (kind: 'answered' | 'refused', maxTokens: number, when: string) => {
      const outcome = await ask(target, { words: 1, maxTokens, stream: index % 2 === 0 });
      if (outcome.kind !== kind) problems.push(`key ${index}, ${when}: ${JSON.stringify(outcome)}`);
      return outcome;
    };
    await expectKind('answered', tokensPerMinute + 1 + (index % 8), 'at first');
    const sentAtMs = Date.now();
    const refusal = await expectKind('refused', 1, 'in debt');
    const answeredAtMs = Date.now();
    if (refusal.kind !== 'refused') return;
    const waitMs = refusal.retryAfterSeconds * 1000;
    waitsSeconds.push(refusal.retryAfterSeconds);
    if (waitMs > 1000) {
      await sleep(sentAtMs + waitMs - 1000 - marginMs - Date.now());
      await expectKind('refused', 1, 'one second too early');
    }
    await sleep(answeredAtMs + waitMs - Date.now());
    await expectKind('answered', 1, 'in time');
  };
  await Promise.all(Array.from({ length: keys }, (_, index) => check(index)));
  return { waitsSeconds: waitsSeconds.toSorted((a, b) => a - b), problems };
}
