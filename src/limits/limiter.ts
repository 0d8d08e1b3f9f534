import type { Measure } from '../accounts/plans.ts';
import type { PlanBook } from '../accounts/plan-book.ts';
import type { Clock } from '../accounts/types.ts';
import { toStorageTrouble } from '../storage-trouble.ts';
import type { AdmissionRow, NewAdmissionRow } from '../store/tables/admission-table.ts';
import type { Store } from '../store/store.ts';
import { Balances, type Balance } from './balances.ts';
import { take } from './bucket.ts';
import { rateLimitHeaders } from './headers.ts';
import { secondsUntilAdmitted, slowestOf, toRateLimitError } from './refusal.ts';
import { RuleBook, type Rule } from './rules.ts';
import { listSeparator, settle, settleInterrupted } from './settle.ts';
import type { Admission, AdmissionRequest, Limiter, Settlement } from './types.ts';

export interface LimiterDeps {
  readonly store: Store;
  readonly plans: PlanBook;
  readonly now: Clock;
  /** Told which limit of which model refused a request. */
  readonly onRefusal?: ((modelId: string, measure: string, window: string) => void) | undefined;
  /** Told that an ended request could not be charged yet. */
  readonly onOverdue?: ((error: unknown) => void) | undefined;
}

/** How long a charge waits that could not be written, before the next attempt. */
const overdueRetryMs = 5000;

interface Decision {
  /** undefined: refused. */
  readonly row: AdmissionRow | undefined;
  readonly balances: readonly Balance[];
}

/**
 * Limits kept in the store.
 *
 * A request lives in two transactions. Admission pays the request and writes it into `admissions`;
 * settlement charges what was used, removes that row and writes the ledger. So at any moment each request
 * that was paid is in exactly one of the two tables, and whoever reads both can recompute every balance.
 * A process that dies in between leaves rows in `admissions`: `recoverInterrupted` turns each into a ledger
 * row without a status and gives its request back, since its client got no whole answer.
 *
 * Where a settlement cannot be written, as on a full disk, it is kept and written before anything else is admitted. So
 * nobody gets work for nothing meanwhile, and there are never more of them than were in flight.
 *
 * A balance is written when something is taken or given back, when its limit changed, and when the clock is
 * behind it; merely looking at it writes nothing, so that a flood of refused requests costs little.
 */
export class StoredLimiter implements Limiter {
  readonly #store: Store;
  readonly #plans: PlanBook;
  readonly #rules: RuleBook;
  readonly #now: Clock;
  readonly #onRefusal: LimiterDeps['onRefusal'];
  readonly #onOverdue: LimiterDeps['onOverdue'];
  /** Settlements that could not be written, oldest first. */
  readonly #overdue: (() => void)[] = [];
  #retry: NodeJS.Timeout | undefined;

  constructor({ store, plans, now, onRefusal, onOverdue }: LimiterDeps) {
    this.#store = store;
    this.#plans = plans;
    this.#rules = new RuleBook(plans);
    this.#now = now;
    this.#onRefusal = onRefusal;
    this.#onOverdue = onOverdue;
  }

  admit(request: AdmissionRequest): Admission {
    this.settleOverdue();
    const { row, balances } = this.#store.immediate(() => this.#decide(request));
    if (row === undefined) {
      const slowest = slowestOf(balances);
      if (slowest !== undefined) this.#onRefusal?.(request.modelId, slowest.measure, slowest.window);
      throw toRateLimitError(request.modelId, balances);
    }
    let isSettled = false;
    return {
      headers: rateLimitHeaders(balances),
      currentHeaders: () => rateLimitHeaders(this.#balancesOf(request).balances),
      settle: (settlement: Settlement) => {
        if (isSettled) return;
        isSettled = true;
        const rules = this.#rulesOf(request.principal.planName, request.modelId, request.measures);
        this.#settle(() => settle(this.#store, row, rules, settlement, this.#now()));
      },
    };
  }

  /**
   * How many requests a dead process left behind; they are settled now.
   * To be called once at the start of the server, before anything is admitted: it takes every row for dead.
   */
  recoverInterrupted(): number {
    return this.#store.immediate(() => {
      const rows = this.#store.admissions.list();
      for (const row of rows) settleInterrupted(this.#store, row, this.#now());
      return rows.length;
    });
  }

  /** Writes the settlements that could not be written before. Throws the store's error where they still cannot be. */
  settleOverdue(): void {
    for (let work = this.#overdue[0]; work !== undefined; work = this.#overdue[0]) {
      this.#store.immediate(work);
      this.#overdue.shift();
    }
  }

  #settle(work: () => void): void {
    try {
      this.settleOverdue();
      this.#store.immediate(work);
    } catch (error) {
      if (toStorageTrouble(error) === undefined) throw error;
      this.#overdue.push(work);
      this.#onOverdue?.(error);
      this.#retryLater();
    }
  }

  #retryLater(): void {
    if (this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      try {
        this.settleOverdue();
      } catch (error) {
        this.#onOverdue?.(error);
        this.#retryLater();
      }
    }, overdueRetryMs).unref();
  }

  #rulesOf(planName: string, modelId: string, measures: readonly Measure[]): Rule[] {
    return this.#rules.of(planName, modelId).filter(({ measure }) => measures.includes(measure));
  }

  /** What limits `request`, as it is now. */
  #balancesOf({ principal, modelId, measures }: AdmissionRequest) {
    const { keyId, planName, planSinceMs = 0 } = principal;
    const nowMs = this.#now();
    const stored = new Balances(this.#store, keyId, modelId);
    // An account's plan cannot have held before it was set; the configuration is read anew at every start.
    const changes = [planSinceMs, this.#plans.sinceMs];
    const rules = this.#rulesOf(planName, modelId, measures);
    return { nowMs, stored, balances: rules.map((rule) => stored.under(rule, changes, nowMs)) };
  }

  /** Runs inside the transaction, so that the balances that admit are the ones that pay. */
  #decide(request: AdmissionRequest): Decision {
    const { principal, modelId, measures, route } = request;
    const { keyId, accountId } = principal;
    const { stored, balances, nowMs } = this.#balancesOf(request);
    // Even a refused request keeps these: else a clock that went back would stand still for the key.
    for (const balance of balances) if (balance.stale) stored.put(balance, balance.bucket);
    if (balances.some((balance) => secondsUntilAdmitted(balance) > 0)) return { row: undefined, balances };

    const paidWindows: string[] = [];
    const paid = balances.map((balance) => {
      if (balance.measure !== 'requests') return balance;
      const bucket = take(balance.bucket, 1);
      stored.put(balance, bucket);
      paidWindows.push(balance.window);
      return { ...balance, bucket };
    });
    const row: NewAdmissionRow = {
      admittedAtMs: nowMs,
      accountId,
      keyId,
      modelId,
      route,
      measures: measures.join(listSeparator),
      paidWindows: paidWindows.join(listSeparator),
    };
    return { row: { ...row, id: this.#store.admissions.insert(row) }, balances: paid };
  }
}
