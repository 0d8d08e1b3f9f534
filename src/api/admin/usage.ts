import type { Handler } from 'hono';
import { windowMs } from '../../accounts/plans.ts';
import { AppError } from '../../errors/errors.ts';
import { usageStepMs, type UsageStep } from '../../limits/usage.ts';
import type { AppDeps, AppEnv } from '../env.ts';
import { toSeconds, toWireList, toWireUsage } from './convert.ts';
import { readQuery } from '../request/read-parameters.ts';
import { parseUsageQuery } from './schema.ts';

/** The ledger of a year takes a while to sum up on a busy server, so a request must ask for such a span explicitly. */
const defaultSpanMs = 7 * windowMs.day;

/** Most periods of an answer: four months of hours. */
const maxPeriods = 3000;

function checkPeriods(step: UsageStep, fromMs: number, toMs: number): void {
  if ((toMs - fromMs) / usageStepMs[step] <= maxPeriods) return;
  throw new AppError(
    'invalid_value',
    `There are more than ${maxPeriods} periods of one ${step} since then. Ask for less.`,
    {
      param: 'since',
    },
  );
}

/**
 * GET /admin/v1/usage: sums of the ledger by account, key, model or UTC day, of requests that ended in [since, until),
 * with `step` for each hour or day.
 */
export function getUsage({ administration, catalog, clock }: AppDeps): Handler<AppEnv> {
  return async (c) => {
    const { by = 'key', step, since, until, account, key, model } = readQuery(c, parseUsageQuery);
    const nowMs = clock.nowMs();
    const fromMs = since === undefined ? nowMs - defaultSpanMs : since(nowMs);
    const toMs = until?.(nowMs);
    if (step !== undefined) checkPeriods(step, fromMs, toMs ?? nowMs);
    const usage = await administration.usage({
      by,
      periodMs: step === undefined ? undefined : usageStepMs[step],
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
      step: step ?? null,
      since: Number.isFinite(fromMs) ? toSeconds(fromMs) : null,
      until: toMs === undefined ? null : toSeconds(toMs),
    });
  };
}
