import type { Limits } from '../../../src/accounts/plans.ts';

/**
 * Refills so slowly that no bucket is ever full again, however slow the machine: what was cut off at full
 * could not be recomputed from the ledger without the order of events within a millisecond.
 */
export const killedLimits = {
  requests: { day: 20_000, '30d': 100_000 },
  inputTokens: { day: 50_000, '30d': 300_000 },
  outputTokens: { '30d': 100_000 },
} satisfies Limits;
