import type { BudgetLimits } from '../../../src/accounts/budgets/budget.ts';
import type { Limits } from '../../../src/accounts/plans.ts';
import { Notices } from '../../../src/notices/notices.ts';
import { toSecretBytes } from '../../../src/notices/webhook.ts';
import type { Store } from '../../../src/store/store.ts';
import { webhookSecret } from '../../support/server/webhook-receiver.ts';

/**
 * Refills so slowly that no bucket is ever full again, however slow the machine: the part cut off at full could not be
 * recomputed from the ledger without the order of events within a millisecond.
 */
export const killedLimits = {
  requests: { day: 20_000, '30d': 100_000 },
  inputTokens: { day: 50_000, '30d': 300_000 },
  outputTokens: { '30d': 100_000 },
} satisfies Limits;

/** The budgets of the account of all keys, which are far more than its use: only the count is looked at. */
export const killedBudgets = {
  tokens: { ever: 1e9 },
  requests: { ever: 1e9, month: 1e9 },
} satisfies BudgetLimits;

export const requestsPerNotice = 10;

/** Notices that are sent to `address`. */
export const openKilledNotices = (store: Store, address: string, now = Date.now) =>
  new Notices({
    store,
    now,
    log: { warn: () => undefined, error: () => undefined },
    operator: {
      url: new URL(address),
      secret: toSecretBytes(webhookSecret) ?? Buffer.alloc(0),
      mayBeLocal: true,
    },
  });
