import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningServer } from '../../test/support/start-server.ts';
import { ask, type Outcome, type Question } from './ask.ts';
import { auditBooks } from './books.ts';
import { createLimitedServer, type LimitedServer, type LoadKey } from './limited-server.ts';

export interface KillOptions {
  readonly clients: number;
  readonly kills: number;
  /** The load goes on for a random time up to this before each kill. */
  readonly longestLoadMs: number;
}

export interface KillReport {
  readonly kills: number;
  /** Requests whose whole answer a client has. */
  readonly answered: number;
  /** Requests that were in flight when the server died, by its own books. */
  readonly interrupted: number;
  /** What should not be; empty in a good run. */
  readonly problems: readonly string[];
}

const account = 'killed';
const warmUpRequests = 100;
/** So large, and refilled so slowly, that no bucket is ever full again: then the ledger tells each balance exactly. */
const limits = {
  requests: { day: 100_000, '30d': 1_000_000 },
  inputTokens: { day: 1_000_000 },
  outputTokens: { '30d': 3_000_000 },
};

/** What is left of the books when the server is killed again and again in the middle of its load. */
export async function runKills({ clients, kills, longestLoadMs }: KillOptions): Promise<KillReport> {
  await using limited = await createLimitedServer({ large: { limits } });
  const key = limited.createKey(account, 'large');
  const answers = new Map<string, number>();
  const problems: string[] = [];
  let answered = 0;
  const note = (outcome: Outcome) => {
    if (outcome.kind === 'answered') {
      answered += 1;
      count(answers, outcome.promptTokens, outcome.completionTokens);
    } else if (outcome.kind !== 'broken') problems.push(JSON.stringify(outcome));
  };
  for (let kill = 0; kill <= kills; kill += 1) {
    // A server that does not start is the worst that can happen: it throws.
    const server = await limited.start();
    try {
      problems.push(...audit(limited, key, answers).map((problem) => `after kill ${kill}: ${problem}`));
      if (kill === kills) break;
      const warmUp = kill === 0 ? warmUpRequests : 0;
      await loadUntilKilled(server, key, { clients, warmUp, loadMs: Math.random() * longestLoadMs }, note);
    } finally {
      await server.kill();
    }
  }
  const interrupted = limited.inspect((store) => [...store.ledger.all()].filter(isInterrupted).length);
  return { kills, answered, interrupted, problems };
}

async function loadUntilKilled(
  server: RunningServer,
  { secret }: LoadKey,
  { clients, warmUp, loadMs }: { clients: number; warmUp: number; loadMs: number },
  note: (outcome: Outcome) => void,
): Promise<void> {
  const target = { baseUrl: server.baseUrl, secret };
  let isDead = false;
  let index = 0;
  const client = async (until: () => boolean): Promise<void> => {
    while (!until()) note(await ask(target, questionAt(index++)));
  };
  const all = (until: () => boolean) => Promise.all(Array.from({ length: clients }, () => client(until)));
  await all(() => index >= warmUp);
  // Loading the model is no load.
  note(await ask(target, questionAt(index++)));
  const load = all(() => isDead);
  await sleep(loadMs);
  const dying = server.kill();
  isDead = true;
  await Promise.all([load, dying]);
}

/** Requests that can be told apart by their tokens, half of them streamed. */
function questionAt(index: number): Question {
  return { words: 1 + (index % 29), maxTokens: 1 + (index % 7), stream: index % 2 === 0 };
}

/** What is wrong with the books of a server that has just started again. */
function audit(limited: LimitedServer, key: LoadKey, answers: ReadonlyMap<string, number>): string[] {
  return limited.inspect((store) => {
    const problems = auditBooks(store);
    const settled = new Map<string, number>();
    for (const entry of store.ledger.all()) {
      if (entry.keyId === key.id && !isInterrupted(entry))
        count(settled, entry.promptTokens, entry.completionTokens);
    }
    // Whoever has an answer was charged for it, even if the server died at the next moment.
    for (const [tokens, times] of answers) {
      const missing = times - (settled.get(tokens) ?? 0);
      if (missing > 0) problems.push(`${missing} answers of ${tokens} tokens are missing from the ledger`);
    }
    return problems;
  });
}

function isInterrupted({ status }: { status: number | null }): boolean {
  return status === null;
}

function count(counts: Map<string, number>, promptTokens: number, completionTokens: number): void {
  const name = `${promptTokens} + ${completionTokens}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
