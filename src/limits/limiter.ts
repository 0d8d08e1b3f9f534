import type { AuthenticatorDeps } from '../accounts/authenticator.ts';
import { measureNames, measures as allMeasures, type Measure } from '../accounts/plans.ts';
import { budgetMeasureNames, type Budget } from '../accounts/budgets/budget.ts';
import type { Principal } from '../accounts/types.ts';
import { toStorageTrouble } from '../errors/storage-trouble.ts';
import type { AdmissionRow, NewAdmissionRow } from '../store/tables/use/admission-table.ts';
import { Balances, type Balance, toAllowance } from './balances.ts';
import { BudgetBook, type OnSpent } from './budget-book.ts';
import { take } from './bucket.ts';
import { rateLimitHeaders } from './reports/headers.ts';
import { RefusalCounts } from './refusal-counts.ts';
import { secondsUntilAdmitted, slowestOf, toParallelError, toRateLimitError } from './reports/refusal.ts';
import { isMeasure, RuleBook, type Rule } from './rules.ts';
import { listSeparator, settle, settleInterrupted, toUsedRow, type Payment, withdraw } from './settle.ts';
import type { Admission, AdmissionRequest, Allowance, Limiter, Settlement, Used } from './types.ts';
import { UseNotes } from './use-notes.ts';

export interface LimiterDeps extends AuthenticatorDeps {
  /** Called with the model and the limit that refused a request, as the API names it. */
  readonly onRefusal?: ((modelId: string, measure: string, window: string) => void) | undefined;
  readonly onSpent?: OnSpent | undefined;
  /** Called when the charge of an ended request could not be written yet. */
  readonly onOverdue?: ((error: unknown) => void) | undefined;
}

const nothingUsed: Used = { promptTokens: 0, cachedTokens: 0, completionTokens: 0, audioSeconds: 0 };
/** Pause before a charge that could not be written is tried again. */
const overdueRetryMs = 5000;

interface Decision {
  /** undefined: refused. */
  readonly row: AdmissionRow | undefined;
  readonly balances: readonly Balance[];
}

/**
 * Limits kept in the store.
 *
 * A request takes two transactions. Admission pays the request and writes it into `admissions`; settlement charges the
 * use, removes that row and writes the ledger. So each paid request is in exactly one of the two tables at any time,
 * and every balance can be recomputed from both. A process that dies in between leaves rows in `admissions`, with their
 * use as far as it was noted: `recoverInterrupted` charges that, and turns each into a ledger row without a status.
 *
 * A settlement that cannot be written, as on a full disk, is kept in memory and written before the next admission. So no
 * request is admitted while others cannot be charged, and at most the requests in flight wait to be charged.
 *
 * A balance is written when something is taken or given back, when its limit changed, and when the clock is behind it.
 * Reading a balance writes nothing, so that a flood of refused requests costs little.
 */
export class StoredLimiter implements Limiter {
  readonly #deps: LimiterDeps;
  readonly #rules: RuleBook;
  /** Settlements that could not be written, oldest first. */
  readonly #overdue: (() => void)[] = [];
  readonly #budgets: BudgetBook;
  /** Requests in flight of keys that may run so many at once, by the key's id. */
  readonly #running = new Map<string, Set<AdmissionRequest>>();
  readonly #notes: UseNotes;
  readonly #refusals: RefusalCounts;
  #retry: NodeJS.Timeout | undefined;

  constructor(deps: LimiterDeps) {
    const { store, plans, onOverdue, onSpent } = deps;
    this.#deps = deps;
    this.#rules = new RuleBook(plans);
    this.#budgets = new BudgetBook(store, plans, onSpent);
    this.#notes = new UseNotes(store, (error) => onOverdue?.(error));
    this.#refusals = new RefusalCounts(store, (error) => onOverdue?.(error));
  }

  admit(request: AdmissionRequest): Admission {
    this.settleOverdue();
    const release = this.#reserve(request);
    const { row, balances } = this.#decideOr(request, release);
    if (row === undefined) {
      release();
      const slowest = slowestOf(balances);
      this.#countRefusal(request, slowest && measureNames[slowest.measure], slowest?.window);
      throw toRateLimitError(request.modelId, balances);
    }
    let isSettled = false;
    return {
      headers: rateLimitHeaders(balances),
      currentHeaders: () => rateLimitHeaders(this.#balancesOf(request).balances),
      note: (usedSoFar: () => Used) => {
        if (!isSettled) this.#notes.note(row.id, usedSoFar);
      },
      settle: (settlement: Settlement) => {
        if (isSettled) return;
        isSettled = true;
        this.#notes.forget(row.id);
        const { planName } = request.principal;
        const rules = this.#rulesOf(planName, request.modelId, request.measures);
        const factor = request.batch === undefined ? 1 : this.#deps.plans.batchFactor(planName);
        const price = this.#deps.plans.priceOf(request.modelId);
        const payment = { rules, factor, price, spend: this.#spendBy(planName) };
        const charge = (used: Settlement) => {
          settle(this.#deps.store, row, payment, used, this.#deps.now());
          release();
        };
        if (request.batch === undefined) return this.#settle(() => charge(settlement));
        request.batch.defer({
          used: settlement,
          charge: () => charge(settlement),
          giveBack: () =>
            this.#settle(() => {
              withdraw(this.#deps.store, row, this.#deps.now());
              release();
            }),
        });
      },
    };
  }

  allowances(principal: Principal, modelId: string): Allowance[] {
    const { balances } = this.#balancesOf({ principal, modelId, measures: allMeasures, route: '' });
    return balances.map(toAllowance);
  }

  budgets(principal: Principal): Budget[] {
    return this.#budgets.of(principal, this.#deps.now());
  }

  /** How many requests a dead process left, which are settled now. To be called before anything is admitted. */
  recoverInterrupted(): number {
    return this.#deps.store.immediate(() => {
      const rows = this.#deps.store.admissions.list();
      for (const row of rows)
        settleInterrupted(this.#deps.store, row, this.#paymentOfKey(row), this.#deps.now());
      return rows.length;
    });
  }

  /** Writes the settlements that could not be written before. Throws the store's error where they still cannot be. */
  settleOverdue(): void {
    for (let work = this.#overdue[0]; work !== undefined; work = this.#overdue[0]) {
      this.#deps.store.immediate(work);
      this.#overdue.shift();
    }
  }

  /** Writes the refusals that were counted and are not in the store yet; they are written every two seconds anyway. */
  writeRefusals(): void {
    this.#refusals.write();
  }

  #settle(work: () => void): void {
    try {
      this.settleOverdue();
      this.#deps.store.immediate(work);
    } catch (error) {
      if (toStorageTrouble(error) === undefined) throw error;
      this.#overdue.push(work);
      this.#deps.onOverdue?.(error);
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
        this.#deps.onOverdue?.(error);
        this.#retryLater();
      }
    }, overdueRetryMs).unref();
  }

  /** Reserves the most that the request may use of budgets, and one of its key's requests at once. Throws AppError. */
  #reserve(request: AdmissionRequest): () => void {
    const leave = this.#enter(request);
    try {
      const release = this.#budgets.reserve(request, this.#deps.now(), ({ measure }) =>
        this.#countRefusal(request, budgetMeasureNames[measure], 'budget'),
      );
      return () => {
        leave();
        release();
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Counts a request that runs; the function that comes back counts it no more. A batch's lines have their own pace. */
  #enter(request: AdmissionRequest): () => void {
    const { parallel, keyId } = request.principal;
    if (!parallel || request.batch !== undefined) return () => undefined;
    const running = this.#running.get(keyId) ?? new Set();
    if (running.size >= parallel) {
      this.#countRefusal(request, 'requests', 'parallel');
      throw toParallelError(parallel);
    }
    this.#running.set(keyId, running.add(request));
    return () => {
      if (running.delete(request) && running.size === 0) this.#running.delete(keyId);
    };
  }

  #countRefusal(request: AdmissionRequest, measure?: string, window?: string): void {
    this.#refusals.add(request, this.#deps.now());
    if (measure !== undefined && window !== undefined)
      this.#deps.onRefusal?.(request.modelId, measure, window);
  }

  /** The decision; where it cannot be written, nothing stays reserved. */
  #decideOr(request: AdmissionRequest, release: () => void): Decision {
    try {
      return this.#deps.store.immediate(() => this.#decide(request));
    } catch (error) {
      release();
      throw error;
    }
  }

  #spendBy(planName: string): Payment['spend'] {
    return (payer, used, nowMs) => this.#budgets.spend({ ...payer, planName }, used, nowMs);
  }

  /** How the key of a request pays now; by no rules where the key is gone. */
  #paymentOfKey({ keyId, modelId, measures }: AdmissionRow): Payment {
    const price = this.#deps.plans.priceOf(modelId);
    const key = this.#deps.store.keys.byId(keyId);
    if (key === undefined) return { rules: [], factor: 1, price, spend: this.#spendBy('') };
    const { plan, planSetAtMs, accountCreatedAtMs: createdAtMs } = key;
    const { name } = this.#deps.plans.inForce({ plan, planSetAtMs, createdAtMs }, this.#deps.now());
    const rules = this.#rulesOf(name, modelId, measures.split(listSeparator).filter(isMeasure));
    return { rules, factor: 1, price, spend: this.#spendBy(name) };
  }

  #rulesOf(planName: string, modelId: string, measures: readonly Measure[]): Rule[] {
    return this.#rules.of(planName, modelId).filter(({ measure }) => measures.includes(measure));
  }

  /** The current balances that limit `request`. */
  #balancesOf({ principal, modelId, measures }: AdmissionRequest) {
    const { keyId, planName, planSinceMs = 0 } = principal;
    const nowMs = this.#deps.now();
    const stored = new Balances(this.#deps.store, keyId, modelId);
    // When the plan was set is stored; when the configuration changed is only known since this process started.
    const changes = [planSinceMs, this.#deps.plans.sinceMs];
    const rules = this.#rulesOf(planName, modelId, measures);
    return { nowMs, stored, balances: rules.map((rule) => stored.under(rule, changes, nowMs)) };
  }

  /** Runs inside the transaction, so that the balances that are checked are the ones that pay. */
  #decide(request: AdmissionRequest): Decision {
    const { principal, modelId, measures, route } = request;
    const { keyId, accountId } = principal;
    const { stored, balances, nowMs } = this.#balancesOf(request);
    // Stored even when the request is refused: otherwise the balance would not refill after the clock went back.
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
      batchId: request.batch?.batchId ?? null,
    };
    const id = this.#deps.store.admissions.insert(row);
    return { row: { ...row, ...toUsedRow(nothingUsed), id }, balances: paid };
  }
}
