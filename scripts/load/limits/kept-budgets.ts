import { setBudgets } from '../../../src/accounts/budgets/budget.ts';
import { Calendar } from '../../../src/accounts/budgets/calendar.ts';
import { costOf } from '../../../src/accounts/budgets/price.ts';
import type { LedgerRow } from '../../../src/store/tables/use/ledger-table.ts';
import type { Store } from '../../../src/store/store.ts';
import { listenForWebhooks, webhookSecret } from '../../../test/support/server/webhook-receiver.ts';
import { loadModelId } from './limited-server.ts';

const price = { inputTokens: 0.35, cachedTokens: 0.1, outputTokens: 1.25, requests: 0.000_3 };

/** So far from the use of the load that no request is refused: of these only the count is looked at. */
export const keptBudgets = {
  tokens: { ever: 1e9 },
  requests: { ever: 1e9, month: 1e9 },
  units: { ever: 1e9, day: 1e9 },
};

/** The use of the budget of tokens a week before the load: a fifth of that is never reached. */
const usedBefore = 1_000_000;

/** Budgets, units and notices of one account, to be compared with the ledger and with a webhook's messages. */
export class KeptBudgets implements AsyncDisposable {
  readonly #accountId: string;
  readonly #hook: Awaited<ReturnType<typeof listenForWebhooks>>;
  /** The last limit of the weekly budget. */
  #limit: number | undefined;

  private constructor(accountId: string, hook: Awaited<ReturnType<typeof listenForWebhooks>>) {
    this.#accountId = accountId;
    this.#hook = hook;
  }

  static async of(accountId: string): Promise<KeptBudgets> {
    return new KeptBudgets(accountId, await listenForWebhooks());
  }

  /** For the start of the server. */
  get options() {
    return {
      settings: {
        timeZone: 'UTC',
        prices: { [loadModelId]: price },
        webhook: { url: this.#hook.url, secret: { env: 'LOAD_WEBHOOK_SECRET' }, local: true },
      },
      env: { LOAD_WEBHOOK_SECRET: webhookSecret },
    };
  }

  /** Notices that came, and of these the ones that came again. */
  get received(): { readonly received: number; readonly again: number } {
    const ids = this.#hook.received.map(({ id }) => id);
    return { received: ids.length, again: ids.length - new Set(ids).size };
  }

  /** Gives the weekly budget a limit of which 80 % are reached soon, or at once. */
  setLimit(store: Store): void {
    const ownerId = this.#accountId;
    const { used } = weekly(store, ownerId) ?? { used: usedBefore };
    const periodStart = new Calendar('UTC').at('week', Date.now()).start;
    if (this.#limit === undefined)
      store.budgets.setUsed({ ownerId, measure: 'tokens', period: 'week', periodStart, used });
    this.#limit = Math.ceil((used + 100 + Math.random() * 1000) / 0.8);
    setBudgets(store, ownerId, { tokens: { week: this.#limit } });
  }

  /** Contradictions between budgets, notices and the ledger. */
  audit(store: Store): string[] {
    const ledger = [...store.ledger.all()];
    const sum = (of: (row: LedgerRow) => number) => ledger.reduce((all, row) => all + of(row), 0);
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
    const problems = store.budgets.ofOwner(this.#accountId).flatMap(({ measure, period, used }) => {
      const right = expected[`${measure} ${period}`];
      return used === right ? [] : [`of ${measure} per ${period} ${used} are used, the ledger says ${right}`];
    });
    const dear = ledger.filter((row) => row.microUnits !== costOf(price, toPriced(row))).length;
    if (dear > 0) problems.push(`${dear} requests cost something else than the price says`);
    return [...problems, ...this.#auditNotices(store, usedBefore + tokens)];
  }

  /** Contradictions between the notices and the webhook's messages, once nothing is to be sent any more. */
  auditReceived(store: Store): string[] {
    const { received, problems } = this.#hook;
    const ids = store.notices.list(0, 100_000, Date.now()).map(({ id }) => id);
    return [
      ...problems,
      ...ids.filter((id) => !received.some((one) => one.id === id)).map((id) => `${id} was never received`),
      ...received.filter(({ id }) => !ids.includes(id)).map(({ id }) => `${id} is no notice`),
    ];
  }

  [Symbol.asyncDispose]() {
    return this.#hook[Symbol.asyncDispose]();
  }

  #auditNotices(store: Store, used: number): string[] {
    const limit = this.#limit ?? Infinity;
    const told = store.notices.list(0, 100_000, Date.now()).map(({ occasion }) => occasion);
    const isTold = told.some((occasion) => occasion.endsWith(` ${limit} 80`));
    const isDue = used >= 0.8 * limit;
    return [
      ...(isTold === isDue
        ? []
        : [`of ${limit} ${used} are used, and 80 % were ${isTold ? '' : 'not '}told`]),
      ...(new Set(told).size === told.length ? [] : ['a notice was told twice']),
    ];
  }
}

/** Whether nothing waits to be sent. */
export const isAllSent = (store: Store) => store.notices.due(Number.MAX_SAFE_INTEGER, 0, 1).length === 0;

const weekly = (store: Store, accountId: string) =>
  store.budgets.ofOwner(accountId).find(({ measure, period }) => measure === 'tokens' && period === 'week');

const toPriced = (row: LedgerRow) => ({
  requests: 1 - row.refunded,
  inputTokens: row.promptTokens,
  cachedTokens: row.cachedTokens,
  outputTokens: row.completionTokens,
  audioMs: 0,
});
