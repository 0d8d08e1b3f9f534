import type { z } from 'zod';
import { windowMs } from '../../accounts/plans.ts';
import { invalidValue } from '../../errors/errors.ts';
import { usageStepMs, type UsageQuery, type UsageStep } from '../../limits/reports/usage.ts';
import type { AppDeps, AppContext } from '../env.ts';
import { toSeconds, toWireList, toWireUsage } from './convert.ts';
import { readQuery } from '../request/read-parameters.ts';
import { ownUsageQuery, usageQuery } from './schema.ts';

/** The ledger of a year takes a while to sum up on a busy server, so a request must ask for such a span explicitly. */
const defaultSpanMs = 7 * windowMs.day;

/** Most periods of an answer: four months of hours. */
const maxPeriods = 3000;

function checkPeriods(step: UsageStep, fromMs: number, toMs: number): void {
  if ((toMs - fromMs) / usageStepMs[step] <= maxPeriods) return;
  throw invalidValue(
    'since',
    `There are more than ${maxPeriods} periods of one ${step} since then. Ask for less.`,
  );
}

/** GET /admin/v1/usage: sums of the ledger, of requests that ended in [since, until), with `step` for each of them. */
export async function getUsage(c: AppContext, deps: AppDeps): Promise<Response> {
  const { account, key, ...query } = readQuery(c, usageQuery);
  const { accounts, keys } = deps.administration;
  const accountId = account === undefined ? undefined : accounts.idInHistory(account);
  const keyId = key === undefined ? undefined : keys.get(key).id;
  return c.json(await sumUsage(deps, { ...query, by: query.by ?? 'key' }, { accountId, keyId }));
}

/** GET /v1/usage: the same of the key that asks and those whose balances it shares, by model unless the request says otherwise. */
export async function getOwnUsage(c: AppContext, deps: AppDeps): Promise<Response> {
  const query = readQuery(c, ownUsageQuery);
  return c.json(await sumUsage(deps, query, { payerId: c.get('principal').keyId }));
}

type UsageParameters = z.output<typeof ownUsageQuery>;

async function sumUsage(
  { administration, catalog, clock }: AppDeps,
  { by = 'model', step, since, until, model }: UsageParameters,
  owner: Pick<UsageQuery, 'accountId' | 'keyId' | 'payerId'>,
) {
  const nowMs = clock.nowMs();
  const fromMs = since === undefined ? nowMs - defaultSpanMs : since(nowMs);
  const toMs = until?.(nowMs);
  if (toMs !== undefined && toMs <= fromMs)
    throw invalidValue(
      'until',
      "'until' must be later than 'since', which is a week ago unless it is named.",
    );
  if (step !== undefined) checkPeriods(step, fromMs, toMs ?? nowMs);
  const usage = await administration.usage({
    by,
    periodMs: step === undefined ? undefined : usageStepMs[step],
    fromMs: Number.isFinite(fromMs) ? fromMs : undefined,
    toMs,
    ...owner,
    // The ledger also has models that were removed, so a name that the catalog lacks is used as it is.
    modelId: model === undefined ? undefined : (catalog.find(model)?.id ?? model),
  });
  return {
    ...toWireList(usage.map(toWireUsage)),
    by,
    step: step ?? null,
    since: Number.isFinite(fromMs) ? toSeconds(fromMs) : null,
    until: toMs === undefined ? null : toSeconds(toMs),
  };
}
