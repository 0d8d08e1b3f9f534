/**
 * The right limits, budgets, units and notices, computed as plainly as possible at any cost. It knows neither the store
 * nor the arithmetic under test: levels are walked through time, dates are asked of Intl hour by hour.
 */
import type { BudgetMeasure, BudgetLimits } from '../../../src/accounts/budgets/budget.ts';
import type { Price } from '../../../src/accounts/budgets/price.ts';
import type { Limits, Measure, Window } from '../../../src/accounts/plans.ts';
import type { BudgetPeriod } from '../../../src/store/tables/use/budget-table.ts';
import { ReferenceBucket } from './reference.ts';

export interface PlainPlan {
  readonly limits: Limits;
  readonly account: BudgetLimits;
}

export interface PlainPayer {
  readonly accountId: string;
  /** Whose balances the key uses. */
  readonly ownerId: string;
  readonly modelId: string;
  readonly planName: string;
  readonly planSinceMs: number;
}

export interface PlainUse {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export type PlainAnswer = 'admitted' | 'insufficient_quota' | { readonly retryAfterSeconds: number };

interface InFlight {
  readonly payer: PlainPayer;
  readonly wanted: Readonly<Record<BudgetMeasure, number>>;
  readonly reserved: ReadonlySet<string>;
  readonly paidWindows: readonly string[];
}

interface Row {
  own: number | undefined;
  used: number;
  start: string;
}

/** Whole units of account. */
export const unitsOf = (measure: BudgetMeasure, amount: number) =>
  measure === 'units' ? Math.round(amount * 1e6) : amount;

export class PlainLimits {
  plans: Readonly<Record<string, PlainPlan>>;
  plansSinceMs: number;
  prices: Readonly<Record<string, Price>> = {};
  readonly budgets = new Map<string, Row>();
  readonly told = new Set<string>();
  /** Millionths by account. */
  readonly charged = new Map<string, number>();
  readonly #buckets = new Map<string, ReferenceBucket[]>();
  readonly #inFlight = new Map<number, InFlight>();
  readonly #zone: string;
  readonly #ends = new Map<string, string>();

  constructor(zone: string, plans: PlainLimits['plans'], nowMs: number) {
    this.#zone = zone;
    this.plans = plans;
    this.plansSinceMs = nowMs;
  }

  /** The rows of a key and model that were ever written. */
  bucketsOf({ ownerId, modelId }: Pick<PlainPayer, 'ownerId' | 'modelId'>): ReferenceBucket[] {
    const name = `${ownerId} ${modelId}`;
    const buckets = this.#buckets.get(name) ?? [];
    this.#buckets.set(name, buckets);
    return buckets;
  }

  setBudgets(ownerId: string, limits: BudgetLimits<number | null>): void {
    for (const [measure, periods] of Object.entries(limits))
      for (const [period, limit] of Object.entries(periods ?? {}))
        this.#row(`${ownerId} ${measure} ${period}`).own = limit ?? undefined;
  }

  admit(id: number, payer: PlainPayer, mostTokens: number, nowMs: number): PlainAnswer {
    const price = this.prices[payer.modelId];
    const dearest = [
      { input: mostTokens, cached: 0, output: 0 },
      { input: mostTokens, cached: mostTokens, output: 0 },
      { input: 0, cached: 0, output: mostTokens },
    ];
    const wanted = {
      tokens: mostTokens,
      requests: 1,
      audioSeconds: 0,
      units: Math.max(...dearest.map((use) => this.#costOf(payer, use, 1))),
    };
    const live = this.live(payer, nowMs).filter(({ measure }) => measure !== 'units' || price !== undefined);
    if (live.some(({ limit, used }) => used >= limit)) return 'insufficient_quota';
    const reserved = (name: string, measure: BudgetMeasure) =>
      [...this.#inFlight.values()].reduce(
        (sum, one) => sum + (one.reserved.has(name) ? one.wanted[measure] : 0),
        0,
      );
    if (live.some(({ name, measure, limit, used }) => limit - used <= reserved(name, measure)))
      return { retryAfterSeconds: 1 };
    const paidWindows = this.#pay(payer, nowMs);
    if (typeof paidWindows === 'number') return { retryAfterSeconds: paidWindows };
    this.#inFlight.set(id, { payer, wanted, reserved: new Set(live.map(({ name }) => name)), paidWindows });
    return 'admitted';
  }

  settle(id: number, use: PlainUse, refund: boolean, nowMs: number, planName?: string): void {
    const flight = this.#inFlight.get(id);
    if (flight === undefined) return;
    this.#inFlight.delete(id);
    const payer = planName === undefined ? flight.payer : { ...flight.payer, planName };
    const buckets = this.bucketsOf(payer);
    for (const [measure, amount] of [
      ['inputTokens', use.input],
      ['outputTokens', use.output],
    ] as const) {
      if (amount === 0) continue;
      for (const rule of this.#rules(payer))
        if (
          rule.measure === measure &&
          !buckets.some((one) => one.rule.window === rule.window && one.rule.measure === measure)
        )
          buckets.push(new ReferenceBucket(rule, nowMs));
      for (const bucket of buckets) if (bucket.rule.measure === measure) bucket.give(-amount, nowMs);
    }
    if (refund)
      for (const bucket of buckets)
        if (bucket.rule.measure === 'requests' && flight.paidWindows.includes(bucket.rule.window))
          bucket.give(1, nowMs);
    const units = this.#costOf(payer, use, refund ? 0 : 1);
    this.charged.set(payer.accountId, (this.charged.get(payer.accountId) ?? 0) + units);
    this.#spend(
      payer,
      { tokens: use.input + use.output, requests: refund ? 0 : 1, audioSeconds: 0, units },
      nowMs,
    );
  }

  /** The budgets that a payer has now. */
  live(
    { accountId, ownerId, planName }: Pick<PlainPayer, 'accountId' | 'ownerId' | 'planName'>,
    nowMs: number,
  ) {
    const planned = this.plans[planName]?.account ?? {};
    return [accountId, ownerId].flatMap((owner) =>
      (['tokens', 'requests', 'units'] as const).flatMap((measure) =>
        (['ever', 'day', 'week', 'month'] as const).flatMap((period) => {
          const row = this.budgets.get(`${owner} ${measure} ${period}`);
          const given = row?.own ?? (owner === accountId ? planned[measure]?.[period] : undefined);
          if (given === undefined) return [];
          const { start, used } = this.#current(row, period, nowMs);
          return [
            {
              name: `${owner} ${measure}`,
              owner,
              measure,
              period,
              given,
              limit: unitsOf(measure, given),
              start,
              used,
            },
          ];
        }),
      ),
    );
  }

  #spend(payer: PlainPayer, used: Readonly<Record<BudgetMeasure, number>>, nowMs: number): void {
    for (const { owner, measure, period, given, limit, start, used: before } of this.live(payer, nowMs)) {
      if (used[measure] === 0) continue;
      const row = this.#row(`${owner} ${measure} ${period}`);
      row.used = before + used[measure];
      row.start = start;
      const share = [100, 80].find((one) => BigInt(row.used) * 100n >= BigInt(limit) * BigInt(one));
      if (share !== undefined)
        this.told.add(`budget ${owner} ${measure} ${period} ${start} ${given} ${share}`);
    }
  }

  #row(name: string): Row {
    const row = this.budgets.get(name) ?? { own: undefined, used: 0, start: '' };
    this.budgets.set(name, row);
    return row;
  }

  /** Millionths of a unit, rounded up. */
  #costOf({ modelId }: PlainPayer, { input, cached, output }: PlainUse, requests: number): number {
    const price = this.prices[modelId];
    if (price === undefined) return 0;
    const inMillionths = (amount = 0) => BigInt(Math.round(amount * 1e6));
    const all =
      BigInt(input - Math.min(cached, input)) * inMillionths(price.inputTokens) +
      BigInt(Math.min(cached, input)) * inMillionths(price.cachedTokens ?? price.inputTokens) +
      BigInt(output) * inMillionths(price.outputTokens) +
      BigInt(requests) * inMillionths(price.requests) * 1_000_000n;
    return Number(all / 1_000_000n) + (all % 1_000_000n > 0n ? 1 : 0);
  }

  #rules({ planName }: PlainPayer) {
    return Object.entries(this.plans[planName]?.limits ?? {}).flatMap(([measure, windows]) =>
      Object.entries(windows ?? {}).map(([window, limit]) => ({
        measure: measure as Measure,
        window: window as Window,
        limit: Number(limit),
      })),
    );
  }

  /** The windows that paid for a request, or the seconds until they can. */
  #pay(payer: PlainPayer, nowMs: number): string[] | number {
    const buckets = this.bucketsOf(payer);
    const now = this.#rules(payer).map((rule) => {
      const at = buckets.findIndex(
        (one) => one.rule.measure === rule.measure && one.rule.window === rule.window,
      );
      const stored = buckets[at];
      if (stored === undefined) return { at, isStale: false, bucket: new ReferenceBucket(rule, nowMs) };
      const isStale = stored.rule.limit !== rule.limit || nowMs < stored.atMs;
      // The limit is as it is since the plan was set or the settings were read, if either is later than the row.
      const changedAtMs =
        [payer.planSinceMs, this.plansSinceMs].find((ms) => ms > stored.atMs && ms <= nowMs) ?? nowMs;
      return { at, isStale, bucket: stored.under(rule, changedAtMs, nowMs) };
    });
    const put = ({ at, bucket }: (typeof now)[number]) =>
      void (at < 0 ? buckets.push(bucket) : (buckets[at] = bucket));
    for (const one of now) if (one.isStale) put(one);
    const seconds = Math.max(0, ...now.map(({ bucket }) => bucket.secondsUntilAdmitted(nowMs)));
    if (seconds > 0) return seconds;
    const paying = now.filter(({ bucket }) => bucket.rule.measure === 'requests');
    for (const one of paying) {
      one.bucket.give(-1, nowMs);
      put(one);
    }
    return paying.map(({ bucket }) => bucket.rule.window);
  }

  /** The period that counts now. A clock that was set back by less than one stays in the later one. */
  #current(row: Row | undefined, period: BudgetPeriod, nowMs: number): Pick<Row, 'start' | 'used'> {
    const today = this.#startOf(period, nowMs);
    if (row === undefined || row.start < today)
      return { start: today, used: period === 'ever' ? (row?.used ?? 0) : 0 };
    if (row.start > today && this.#startAfter(period, today, nowMs) === row.start) return row;
    return { start: today, used: row.used };
  }

  #startOf(period: BudgetPeriod, ms: number): string {
    if (period === 'ever') return '';
    const date = new Date(ms).toLocaleDateString('sv', { timeZone: this.#zone });
    if (period === 'day') return date;
    if (period === 'month') return `${date.slice(0, 8)}01`;
    let day = Date.parse(date);
    while (new Date(day).getUTCDay() !== 1) day -= 86_400_000;
    return new Date(day).toISOString().slice(0, 10);
  }

  #startAfter(period: BudgetPeriod, start: string, nowMs: number): string {
    const known = this.#ends.get(`${period} ${start}`);
    if (known !== undefined) return known;
    let ms = nowMs;
    while (this.#startOf(period, ms) === start) ms += 1_800_000;
    const next = this.#startOf(period, ms);
    this.#ends.set(`${period} ${start}`, next);
    return next;
  }
}
