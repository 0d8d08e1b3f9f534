import { setBudgets } from '../../../src/accounts/budgets/budget.ts';
import { Calendar } from '../../../src/accounts/budgets/calendar.ts';
import { costOf } from '../../../src/accounts/budgets/price.ts';
import type { Store } from '../../../src/store/store.ts';
import { listenForWebhooks, webhookSecret } from '../../../test/support/server/webhook-receiver.ts';
import { loadModelId } from './limited-server.ts';

const price = { inputTokens: 0.35, cachedTokens: 0.1, outputTokens: 1.25, requests: 0.000_3 };

/** So far from what the load uses that no request is refused: of these only the count is looked at. */
export const keptBudgets = {
  tokens: { ever: 1e9 },
  requests: { ever: 1e9, month: 1e9 },
  units: { ever: 1e9, day: 1e9 },
};

/** What was used of the budget of tokens a week before the load: a fifth of that is never reached. */
const usedBefore = 1_000_000;

/** Budgets, units and notices of one account, to be compared with the ledger and with what a webhook received. */
export async function keepBudgets(accountId: string) {
  const hook = await listenForWebhooks();
  /** The limits of the weekly budget so far. */
  const limits: number[] = [];
  return {
    settings: {
      timeZone: 'UTC',
      prices: { [loadModelId]: price },
      webhook: { url: hook.url, secret: { env: 'LOAD_WEBHOOK_SECRET' }, local: true },
    },
    env: { LOAD_WEBHOOK_SECRET: webhookSecret },
    received: hook.received,

    /** Gives the weekly budget a limit of which 80 % are reached soon, or at once. */
    setLimit(store: Store): void {
      const { used } = weekly(store, accountId) ?? { used: usedBefore };
      const periodStart = new Calendar('UTC').at('week', Date.now()).start;
      if (limits.length === 0)
        store.budgets.setUsed({ ownerId: accountId, measure: 'tokens', period: 'week', periodStart, used });
      const limit = Math.ceil((used + 100 + Math.random() * 4000) / 0.8);
      setBudgets(store, accountId, { tokens: { week: limit } });
      limits.push(limit);
    },

    /** Contradictions between budgets, notices and the ledger. */
    audit(store: Store): string[] {
      const ledger = [...store.ledger.all()];
      const sum = (of: (row: (typeof ledger)[number]) => number) =>
        ledger.reduce((all, row) => all + of(row), 0);
      const tokens = sum(({ promptTokens, completionTokens }) => promptTokens + completionTokens);
      const requests = sum(({ refunded }) => 1 - refunded);
      const units = sum(({ microUnits }) => microUnits);
      const expected: Record<string, number> = {
        'tokens ever': tokens,
        'tokens week': usedBefore + tokens,
        'requests ever': requests,
        'requests month': requests,
        'units ever': units,
        'units day': units,
      };
      const problems = store.budgets.ofOwner(accountId).flatMap(({ measure, period, used }) => {
        const right = expected[`${measure} ${period}`];
        return used === right
          ? []
          : [`of ${measure} per ${period} ${used} are used, the ledger says ${right}`];
      });
      const dear = ledger.filter((row) => row.microUnits !== costOf(price, toPriced(row))).length;
      if (dear > 0) problems.push(`${dear} requests cost something else than the price says`);
      const told = store.notices.list(0, 100_000).filter(({ kind }) => kind === 'budget.warning');
      const limit = limits.at(-1) ?? Infinity;
      const isTold = told.some(({ occasion }) => occasion.endsWith(` ${limit} 80`));
      const isDue = usedBefore + tokens >= 0.8 * limit;
      if (isTold !== isDue)
        problems.push(
          `80 % of ${limit} were ${isTold ? '' : 'not '}told, and are ${isDue ? '' : 'not '}used`,
        );
      if (new Set(told.map(({ occasion }) => occasion)).size !== told.length)
        problems.push('a notice was told twice');
      return problems;
    },

    /** Contradictions between the notices and what the webhook received, once nothing is to be sent any more. */
    auditReceived(store: Store): string[] {
      const ids = store.notices.list(0, 100_000).map(({ id }) => id);
      const missing = ids.filter((id) => !hook.received.some((one) => one.id === id));
      const strange = hook.received.filter(({ id }) => !ids.includes(id));
      return [
        ...hook.problems,
        ...missing.map((id) => `the notice ${id} was never received`),
        ...strange.map(({ id }) => `${id} was received and is no notice`),
      ];
    },

    /** Whether nothing waits to be sent. */
    isAllSent: (store: Store) => store.notices.due(Number.MAX_SAFE_INTEGER, 0, 1).length === 0,

    close: () => hook[Symbol.asyncDispose](),
  };
}

const weekly = (store: Store, accountId: string) =>
  store.budgets.ofOwner(accountId).find(({ measure, period }) => measure === 'tokens' && period === 'week');

const toPriced = (row: {
  readonly refunded: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly completionTokens: number;
}) => ({
  requests: 1 - row.refunded,
  inputTokens: row.promptTokens,
  cachedTokens: row.cachedTokens,
  outputTokens: row.completionTokens,
  audioMs: 0,
});
