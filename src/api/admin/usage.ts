import type { Handler } from 'hono';
import { windowMs } from '../../accounts/plans.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { toSeconds, toWireList, toWireUsage } from './convert.ts';
import { readQuery } from '../request/read-parameters.ts';
import { parseUsageQuery } from './schema.ts';

/** The ledger of a year takes a while to sum up on a busy server, so a request must ask for such a span explicitly. */
const defaultSpanMs = 7 * windowMs.day;

/**
 * GET /admin/v1/usage: sums of the ledger by account, key, model or UTC day, of requests that ended in [since, until).
 */
export function getUsage({ administration, catalog, clock }: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { by = 'key', since, until, account, key, model } = readQuery(c, parseUsageQuery);
    const nowMs = clock.nowMs();
    const fromMs = since === undefined ? nowMs - defaultSpanMs : since(nowMs);
    const toMs = until?.(nowMs);
    const usage = await administration.usage({
      by,
      fromMs: Number.isFinite(fromMs) ? fromMs : undefined,
      toMs,
      accountId: account === undefined ? undefined : administration.accounts.idInHistory(account),
      keyId: key === undefined ? undefined : administration.keys.get(key).id,
      // The ledger also has models that were removed, so a name that the catalog lacks is used as it is.
      modelId: model === undefined ? undefined : (catalog.find(model)?.id ?? model),
    });
    return c.json({
      ...toWireList(usage.map(toWireUsage)),
      by,
      since: Number.isFinite(fromMs) ? toSeconds(fromMs) : null,
      until: toMs === undefined ? null : toSeconds(toMs),
    });
  };
}
