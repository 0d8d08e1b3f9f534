import { setTimeout as sleep } from 'node:timers/promises';
import { AnswerBook, isInterrupted } from './answer-book.ts';
import { auditableLimits, loadUntilKilled } from './killed-load.ts';
import { isAllSent, KeptBudgets, keptBudgets } from './kept-budgets.ts';
import { createLimitedServer } from './limited-server.ts';

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
  /** Notices that came to a webhook, and of these the ones that came again. */
  readonly notices: { readonly received: number; readonly again: number };
  /** Requests that were in flight when the server died, by its own books. */
  readonly interrupted: number;
  /** Contradictions that were found; empty in a good run. */
  readonly problems: readonly string[];
}

const account = 'killed';
const warmUpRequests = 100;

/** Kills a server again and again in the middle of its load, and compares its books with the answers of clients. */
export async function runKills({ clients, kills, longestLoadMs }: KillOptions): Promise<KillReport> {
  await using limited = await createLimitedServer({
    large: { limits: auditableLimits, account: keptBudgets },
  });
  const key = limited.createKey(account, 'large');
  await using budgets = await KeptBudgets.of(key.accountId);
  const book = AnswerBook.empty();
  const problems: string[] = [];
  for (let kill = 0; kill <= kills; kill += 1) {
    // A server that does not start is the worst that can happen: it throws.
    const server = await limited.start(budgets.options);
    try {
      const found = limited.inspect((store) => [
        ...book.audit(store, key.id),
        ...(kill === 0 ? [] : budgets.audit(store)),
      ]);
      problems.push(...found.map((problem) => `after kill ${kill}: ${problem}`));
      if (kill === kills) {
        // A notice on its way when the server died waits for a while.
        while (!limited.inspect(isAllSent)) await sleep(500);
        break;
      }
      limited.inspect((store) => budgets.setLimit(store));
      const warmUp = kill === 0 ? warmUpRequests : 0;
      const meanwhile = () => sleep(Math.random() * longestLoadMs);
      await loadUntilKilled(server, key, { clients, warmUp, meanwhile }, book.note);
    } finally {
      await server.kill();
    }
  }
  const interrupted = limited.inspect((store) => [...store.ledger.all()].filter(isInterrupted).length);
  problems.push(...limited.inspect((store) => budgets.auditReceived(store)));
  const notices = budgets.received;
  return { kills, answered: book.answered, notices, interrupted, problems: [...book.problems, ...problems] };
}
