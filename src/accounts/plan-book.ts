import type { BudgetLimits } from './budgets/budget.ts';
import { Calendar } from './budgets/calendar.ts';
import { limitsFor, reducedPlanName, trialPlanName, type Limits, type Plan, type Plans } from './plans.ts';

const nothing: Plan = { durationMs: undefined, limits: {}, modelLimits: new Map() };

interface PlanHolder {
  readonly plan: string;
  readonly planSetAtMs: number;
  readonly createdAtMs: number;
}

/** The current plans; the configuration may replace them while the server runs. */
export class PlanBook {
  #plans: Plans;
  #sinceMs: number;

  /** By it budgets begin anew. */
  readonly calendar: Calendar;

  constructor(plans: Plans, nowMs: number, calendar = new Calendar()) {
    this.calendar = calendar;
    this.#plans = plans;
    this.#sinceMs = nowMs;
  }

  get plans(): Plans {
    return this.#plans;
  }

  /** When this process began to use these plans, Unix ms. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  replace(plans: Plans, nowMs: number): void {
    this.#plans = plans;
    this.#sinceMs = nowMs;
  }

  /** When the account's trial is over, Unix ms; null when it is on another plan, or its trial has no end. */
  trialEndsAtMs({ plan, createdAtMs }: PlanHolder): number | null {
    const durationMs = plan === trialPlanName ? this.#plans.get(plan)?.durationMs : undefined;
    return durationMs === undefined ? null : createdAtMs + durationMs;
  }

  /**
   * The plan that holds for an account at `nowMs`, and since when: its own, or `reduced` after its trial.
   * A plan that the configuration no longer has gives `reduced` too, so that a typing mistake lifts no limits.
   */
  inForce(account: PlanHolder, nowMs: number): { name: string; sinceMs: number } {
    const endsAtMs = this.trialEndsAtMs(account);
    if (endsAtMs !== null && nowMs >= endsAtMs) {
      return { name: reducedPlanName, sinceMs: Math.max(endsAtMs, account.planSetAtMs) };
    }
    const name = this.#plans.has(account.plan) ? account.plan : reducedPlanName;
    return { name, sinceMs: account.planSetAtMs };
  }

  /** The share of a batch's tokens that is charged on this plan; 1: all of them. */
  batchFactor(planName: string): number {
    return this.#plans.get(planName)?.batchFactor ?? 1;
  }

  /** The budgets that every account on a plan has over all its keys. */
  accountBudgets(planName: string): BudgetLimits {
    return this.#plans.get(planName)?.accountBudgets ?? {};
  }

  /** The limits of a plan for one canonical model id. */
  limitsFor(planName: string, modelId: string): Limits {
    const plan = this.#plans.get(planName) ?? this.#plans.get(reducedPlanName) ?? nothing;
    return limitsFor(plan, modelId);
  }
}
