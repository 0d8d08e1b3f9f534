import { setTimeout as sleep } from 'node:timers/promises';
import { windowMs } from '../../../src/accounts/plans.ts';
import { ask, type Outcome } from './ask.ts';
import { createLimitedServer, loadModelId } from './limited-server.ts';

export interface SteadyLoadOptions {
  readonly clients: number;
  readonly seconds: number;
  /** The key's limit; twice as many are sent. */
  readonly requestsPerMinute: number;
}

export interface SteadyLoadReport {
  readonly sent: number;
  readonly admitted: number;
  /** Requests that the limit lets through in this time. */
  readonly allowed: number;
  readonly refused: number;
  /** Refusals by their Retry-After. */
  readonly retryAfterSeconds: Readonly<Record<number, number>>;
  /** Longest time that anybody waited for an answer, refusals included. */
  readonly slowestMs: number;
  /** Contradictions that were found; empty in a good run. */
  readonly problems: readonly string[];
}

const account = 'loaded';
const question = { words: 1, maxTokens: 1, stream: false };

/**
 * Has many clients use one key at twice its limit. The key begins with nothing: a full bucket of a
 * minute would let half a minute at twice the limit through untouched.
 */
export async function runSteadyLoad(options: SteadyLoadOptions): Promise<SteadyLoadReport> {
  const { requestsPerMinute } = options;
  await using limited = await createLimitedServer({
    one: { limits: { requests: { minute: 1 } } },
    load: { limits: { requests: { minute: requestsPerMinute } } },
  });
  const key = limited.createKey(account, 'one');
  const { baseUrl } = await limited.start();
  const target = { baseUrl, secret: key.secret };
  const first = await ask(target, question);
  const startedAtMs = limited.setPlan(account, 'load');
  const { outcomes, slowestMs } = await offerLoad(target, startedAtMs, options);

  const problems = [first, ...outcomes]
    .filter(({ kind }) => kind === 'wrong' || kind === 'broken')
    .slice(0, 5)
    .map((outcome) => JSON.stringify(outcome));
  const refusals = outcomes.filter((outcome) => outcome.kind === 'refused');
  const admitted = outcomes.filter(({ kind }) => kind === 'answered').length;
  // A refused key lacks less than one request, which the limit refills within this time.
  const honest = Math.ceil(windowMs.minute / requestsPerMinute / 1000);
  const dishonest = refusals.filter(({ retryAfterSeconds }) => retryAfterSeconds > honest).length;
  if (dishonest > 0) problems.push(`${dishonest} refusals asked for more than ${honest} s`);
  const { bucket, entries } = limited.inspect((store) => ({
    bucket: store.buckets.of(key.id, loadModelId)[0],
    entries: [...store.ledger.all()],
  }));
  if (entries.length !== admitted + 1 || bucket === undefined) {
    problems.push(`clients had ${admitted} answers, the ledger has ${entries.length - 1}`);
  } else {
    const firstAtMs = entries[0]?.admittedAtMs ?? Number.NaN;
    const refilled = startedAtMs - firstAtMs + (bucket.atMs - startedAtMs) * requestsPerMinute;
    const expected = refilled - admitted * windowMs.minute;
    const level = bucket.units * windowMs.minute + bucket.fraction;
    if (level !== expected) problems.push(`the balance is ${level}, the ledger says ${expected}`);
  }
  const allowedUntil = (timeMs: number) => ((timeMs - startedAtMs) * requestsPerMinute) / windowMs.minute;
  const allowed = allowedUntil(startedAtMs + options.seconds * 1000);
  // On a busy machine the last requests come late, and the refill until then is theirs.
  const most = Math.max(allowed, allowedUntil(bucket?.atMs ?? 0));
  if (admitted > most + 1 || admitted < allowed * 0.99 - 1)
    problems.push(`admitted ${admitted}, but the policy allows ${allowed} to ${most.toFixed(1)}`);
  return {
    sent: outcomes.length,
    admitted,
    allowed,
    refused: refusals.length,
    retryAfterSeconds: countBy(refusals.map(({ retryAfterSeconds }) => retryAfterSeconds)),
    slowestMs,
    problems,
  };
}

interface OfferedLoad {
  readonly outcomes: readonly Outcome[];
  readonly slowestMs: number;
}

/** Sends twice the limit at an even pace, refused or not; who is late does not slow the others down. */
async function offerLoad(
  target: Parameters<typeof ask>[0],
  startedAtMs: number,
  { clients, seconds, requestsPerMinute }: SteadyLoadOptions,
): Promise<OfferedLoad> {
  const gapMs = windowMs.minute / (2 * requestsPerMinute);
  const count = Math.floor((seconds * 1000) / gapMs);
  const outcomes: Outcome[] = [];
  let next = 0;
  let slowestMs = 0;
  const client = async (): Promise<void> => {
    while (next < count) {
      const dueAtMs = startedAtMs + next++ * gapMs;
      await sleep(Math.max(0, dueAtMs - Date.now()));
      const sentAt = performance.now();
      outcomes.push(await ask(target, question));
      slowestMs = Math.max(slowestMs, performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return { outcomes, slowestMs };
}

function countBy(values: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
