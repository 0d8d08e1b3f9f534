import { setImmediate as nextTurn } from 'node:timers/promises';
import { microUnits } from '../../accounts/budgets/price.ts';
import { windowMs } from '../../accounts/plans.ts';
import type { Store } from '../../store/store.ts';
import type { UsageGrouping, UsageRow } from '../../store/tables/use/usage-queries.ts';

export type { UsageGrouping } from '../../store/tables/use/usage-queries.ts';

export const usageGroupings: readonly UsageGrouping[] = ['account', 'key', 'model', 'day'];

/** The periods that usage can be split into, in milliseconds. */
export const usageStepMs = { hour: windowMs.hour, day: windowMs.day } as const;

export type UsageStep = keyof typeof usageStepMs;

export const usageSteps = Object.keys(usageStepMs) as readonly UsageStep[];

export interface UsageQuery {
  readonly by: UsageGrouping;
  /** Settled at or after, Unix ms; default: all that is kept. */
  readonly fromMs?: number | undefined;
  /** Settled before, Unix ms; default: now and later. */
  readonly toMs?: number | undefined;
  readonly accountId?: string | undefined;
  readonly keyId?: string | undefined;
  /** A key, with those whose balances it shares: that it replaced, and other sessions of the page. */
  readonly payerId?: string | undefined;
  readonly modelId?: string | undefined;
  /** Sums are per period of this length, counted from 1970 on; default: one for the whole time. */
  readonly periodMs?: number | undefined;
}

export interface Usage extends Omit<UsageRow, 'audioMs' | 'units'> {
  readonly audioSeconds: number;
  /** Of the operator's; undefined: nothing in the whole list had a price. */
  readonly units?: number | undefined;
}

type Sum = Usage & { readonly units: number };

/** Sums of the ledger, one per period and group that used anything or was refused, by time and name. */
export const queryUsage = (store: Store, query: UsageQuery): Usage[] => toUsage(sumsOf(store, query));

const names = new Intl.Collator('en', { numeric: true });

/** The sums in order, without units where nothing had a price. */
function toUsage(sums: Sum[]): Usage[] {
  const sorted = sums.toSorted(
    (a, b) => a.startMs - b.startMs || names.compare(a.label, b.label) || names.compare(a.group, b.group),
  );
  return sorted.some(({ units }) => units > 0) ? sorted : sorted.map((sum) => ({ ...sum, units: undefined }));
}

function sumsOf(store: Store, query: UsageQuery): Sum[] {
  const rows = store.usage.sum(query.by, {
    accountId: query.accountId ?? null,
    keyId: query.keyId ?? null,
    payerId: query.payerId ?? null,
    modelId: query.modelId ?? null,
    fromMs: query.fromMs ?? Number.MIN_SAFE_INTEGER,
    toMs: query.toMs ?? Number.MAX_SAFE_INTEGER,
    periodMs: query.periodMs ?? Number.POSITIVE_INFINITY,
  });
  return rows.map(({ audioMs, ...row }) => ({ ...row, audioSeconds: audioMs / 1000 }));
}

/** The time whose rows are summed at once: about ten milliseconds of work on a very busy server. */
const sliceMs = 3 * 3_600_000;

/** The same, one slice of time per turn of the event loop, so that streams go on while a year is summed. */
export async function queryUsageInSlices(store: Store, query: UsageQuery): Promise<Usage[]> {
  const span = store.usage.span();
  if (span === undefined) return [];
  const endMs = Math.min(query.toMs ?? Infinity, span.lastMs + 1);
  const sums = new Map<string, Sum>();
  for (let fromMs = Math.max(query.fromMs ?? -Infinity, span.firstMs); fromMs < endMs; fromMs += sliceMs) {
    for (const usage of sumsOf(store, { ...query, fromMs, toMs: Math.min(fromMs + sliceMs, endMs) })) {
      const name = `${usage.startMs} ${usage.group}`;
      const sum = sums.get(name);
      sums.set(name, sum === undefined ? usage : add(sum, usage));
    }
    await nextTurn();
  }
  return toUsage([...sums.values()]);
}

function add(a: Sum, b: Sum): Sum {
  return {
    ...a,
    requests: a.requests + b.requests,
    refunded: a.refunded + b.refunded,
    failed: a.failed + b.failed,
    refused: a.refused + b.refused,
    promptTokens: a.promptTokens + b.promptTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    completionTokens: a.completionTokens + b.completionTokens,
    // Rounded, so that sums of whole milliseconds and of millionths stay such.
    audioSeconds: Math.round((a.audioSeconds + b.audioSeconds) * 1000) / 1000,
    units: Math.round((a.units + b.units) * microUnits) / microUnits,
  };
}
