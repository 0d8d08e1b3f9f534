import type { Principal } from '../accounts/types.ts';
import {
  budgetUnits,
  liveBudgets,
  type Budget,
  type BudgetLimits,
  type BudgetUnits,
  type LiveBudget,
} from '../accounts/budgets/budget.ts';
import { costOf } from '../accounts/budgets/price.ts';
import type { PlanBook } from '../accounts/plans.ts';
import type { Store } from '../store/store.ts';
import type { BudgetMeasure } from '../store/tables/use/budget-table.ts';
import { toBudgetError, toReservedError } from './reports/refusal.ts';
import { isTokens } from './rules.ts';
import type { AdmissionRequest } from './types.ts';

type Payer = Pick<Principal, 'keyId' | 'accountId' | 'planName'>;

/** Is called in the transaction that takes something from a budget, which is as it is then. */
export type OnSpent = (budget: LiveBudget, accountId: string) => void;

/**
 * The budgets of keys and accounts. A request in flight has reserved the most that it can use of each, so requests that
 * come together use no more than there is, plus the use of one more. Reservations are of this process, as requests in
 * flight are.
 */
export class BudgetBook {
  readonly #store: Store;
  readonly #plans: PlanBook;
  readonly #onSpent: OnSpent | undefined;
  /** Units by owner and measure. */
  readonly #reserved = new Map<string, number>();

  constructor(store: Store, plans: PlanBook, onSpent?: OnSpent) {
    this.#store = store;
    this.#plans = plans;
    this.#onSpent = onSpent;
  }

  /**
   * Reserves the most that the request may use until the function that comes back is called. Throws AppError, before
   * which `onRefusal` gets the budget that refuses.
   */
  reserve(request: AdmissionRequest, nowMs: number, onRefusal: (budget: Budget) => void): () => void {
    const { principal, modelId, measures, most, batch } = request;
    const price = this.#plans.priceOf(modelId);
    const isDrawn = {
      tokens: measures.some(isTokens),
      requests: true,
      audioSeconds: measures.includes('audioSeconds'),
      units: price !== undefined,
    };
    const drawn = this.of(principal, nowMs).filter(({ measure }) => isDrawn[measure]);
    if (drawn.length === 0) return () => undefined;
    const { tokens, audioSeconds } = most?.() ?? { tokens: 1, audioSeconds: 1 };
    const audioMs = Math.ceil(audioSeconds * budgetUnits.audioSeconds);
    // Nobody knows yet which tokens they will be: the dearest ones.
    const kinds = [
      { inputTokens: tokens },
      { inputTokens: tokens, cachedTokens: tokens },
      { outputTokens: tokens },
    ];
    const base = { requests: 1, inputTokens: 0, cachedTokens: 0, outputTokens: 0, audioMs };
    const wanted: BudgetUnits = {
      tokens,
      requests: 1,
      audioSeconds: audioMs,
      units: price === undefined ? 0 : Math.max(...kinds.map((kind) => costOf(price, { ...base, ...kind }))),
    };
    const spent = drawn.find(({ left }) => left <= 0);
    const refusing =
      spent ?? drawn.find((one) => one.left * budgetUnits[one.measure] <= this.#reservedOf(one));
    if (refusing !== undefined) {
      onRefusal(refusing);
      throw spent ? toBudgetError(spent, nowMs, batch !== undefined) : toReservedError(refusing);
    }
    // An owner may have several budgets of one measure, which share the reserved units.
    const owners = new Map(
      drawn.map(({ ownerId, measure }) => [nameOf({ ownerId, measure }), wanted[measure]]),
    );
    for (const [name, units] of owners) this.#add(name, units);
    let isHeld = true;
    return () => {
      if (isHeld) for (const [name, units] of owners) this.#add(name, -units);
      isHeld = false;
    };
  }

  /** Takes the use from all budgets that it counts for. To be run in a transaction. */
  spend(payer: Payer, used: BudgetUnits, nowMs: number): void {
    for (const budget of this.of(payer, nowMs)) {
      const { ownerId, measure, period, periodStart } = budget;
      if (used[measure] === 0) continue;
      const units = Math.round(budget.used * budgetUnits[measure]) + used[measure];
      this.#store.budgets.setUsed({ ownerId, measure, period, periodStart, used: units });
      this.#onSpent?.({ ...budget, used: units / budgetUnits[measure] }, payer.accountId);
    }
  }

  of({ keyId, accountId, planName }: Payer, nowMs: number): LiveBudget[] {
    const planned: BudgetLimits = this.#plans.accountBudgets(planName);
    const rows = this.#store.budgets.of(keyId, accountId);
    const { calendar } = this.#plans;
    const owners = new Set([accountId, ...rows.map(({ ownerId }) => ownerId)]);
    return [...owners].flatMap((ownerId) =>
      liveBudgets(ownerId, rows, ownerId === accountId ? planned : {}, calendar, nowMs),
    );
  }

  #reservedOf(budget: Pick<LiveBudget, 'ownerId' | 'measure'>): number {
    return this.#reserved.get(nameOf(budget)) ?? 0;
  }

  #add(name: string, units: number): void {
    const sum = (this.#reserved.get(name) ?? 0) + units;
    if (sum > 0) this.#reserved.set(name, sum);
    else this.#reserved.delete(name);
  }
}

const nameOf = ({ ownerId, measure }: { readonly ownerId: string; readonly measure: BudgetMeasure }) =>
  `${measure} ${ownerId}`;
