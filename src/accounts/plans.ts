import type { AccountRow } from '../store/tables/account-table.ts';
import type { BudgetLimits } from './budgets/budget.ts';
import { Calendar } from './budgets/calendar.ts';
import type { Price, Prices } from './budgets/price.ts';

/** The quantities that are counted, each with its name in the API and in metrics. */
export const measureNames = {
  requests: 'requests',
  inputTokens: 'input_tokens',
  outputTokens: 'output_tokens',
  audioSeconds: 'audio_seconds',
} as const;

export type Measure = keyof typeof measureNames;

export const measures = Object.keys(measureNames) as readonly Measure[];

/** Most of any limit: far more than any machine can use, and small enough that amounts in every unit stay exact integers. */
export const greatestLimit = 1e12;

/** The windows that a limit may have, in milliseconds. */
export const windowMs = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  '30d': 2_592_000_000,
} as const;

export type Window = keyof typeof windowMs;

export const windows = Object.keys(windowMs) as readonly Window[];

/** Most that may be used per window; a measure or window that is missing has no limit. */
export type Limits = Readonly<
  Partial<Record<Measure, Readonly<Partial<Record<Window, number | undefined>>> | undefined>>
>;

export interface Plan {
  /** How long the plan holds, counted from the account's creation; only `trial` has an end. */
  readonly durationMs: number | undefined;
  readonly limits: Limits;
  /** The share of a batch's tokens that is charged; undefined: all of them. */
  readonly batchFactor?: number | undefined;
  /** Of an account over all its keys and models; undefined: none. */
  readonly accountBudgets?: BudgetLimits | undefined;
  /** By canonical model id: limits that replace the plan's own for that model, as a whole. */
  readonly modelLimits: ReadonlyMap<string, Limits>;
}

/** By name. */
export type Plans = ReadonlyMap<string, Plan>;

/** The plan that every new account starts on, and the one that follows when its days are over. */
export const trialPlanName = 'trial';
export const reducedPlanName = 'reduced';
export const unlimitedPlanName = 'unlimited';

const noModels: ReadonlyMap<string, Limits> = new Map();

function planOf(limits: Limits, durationMs?: number): Plan {
  return { durationMs, limits, modelLimits: noModels };
}

/** The figures of `trial` are the published ones; those of the others are hearth's own choice. */
export const defaultPlans: Plans = new Map([
  [
    trialPlanName,
    planOf(
      {
        requests: { minute: 60 },
        inputTokens: { minute: 100_000, '30d': 30_000_000 },
        outputTokens: { minute: 100_000, '30d': 30_000_000 },
        audioSeconds: { hour: 3_600 },
      },
      30 * windowMs.day,
    ),
  ],
  [
    reducedPlanName,
    planOf({
      requests: { minute: 10 },
      inputTokens: { minute: 10_000, '30d': 1_000_000 },
      outputTokens: { minute: 10_000, '30d': 1_000_000 },
      audioSeconds: { hour: 600 },
    }),
  ],
  [
    'standard',
    planOf({
      requests: { minute: 600, hour: 20_000, day: 200_000 },
      inputTokens: { minute: 1_000_000 },
      outputTokens: { minute: 1_000_000 },
      audioSeconds: { hour: 36_000 },
    }),
  ],
  [unlimitedPlanName, planOf({})],
]);

/** A plan as settings and requests write it. */
interface WrittenPlan {
  readonly days?: number | undefined;
  readonly limits: Limits;
  readonly account?: BudgetLimits | undefined;
  readonly batch?: { readonly factor: number } | undefined;
  readonly models?: Readonly<Record<string, { readonly limits: Limits }>> | undefined;
}

/** `toId` gives the id of a model that is written there. */
export const toPlan = (
  { days, limits, account, batch, models = {} }: WrittenPlan,
  toId = (name: string) => name,
): Plan => ({
  durationMs: days === undefined ? undefined : days * windowMs.day,
  limits,
  batchFactor: batch?.factor,
  accountBudgets: account,
  modelLimits: new Map(Object.entries(models).map(([name, own]) => [toId(name), own.limits])),
});

/** The default plans, each replaced as a whole where `given` names it; a trial without an end keeps the default's. */
export function plansWith(given: Iterable<readonly [name: string, plan: Plan]>): Plans {
  const plans = new Map(defaultPlans);
  for (const [name, plan] of given)
    plans.set(name, { ...plan, durationMs: plan.durationMs ?? defaultPlans.get(name)?.durationMs });
  return plans;
}

export function limitsFor(plan: Plan, modelId: string): Limits {
  return plan.modelLimits.get(modelId) ?? plan.limits;
}

const nothing: Plan = { durationMs: undefined, limits: {}, modelLimits: new Map() };

type PlanHolder = Pick<AccountRow, 'plan' | 'planSetAtMs' | 'createdAtMs'>;

/** Where a plan comes from: hearth itself, the configuration, or an operator by way of the admin API. */
export type PlanSource = 'built_in' | 'file' | 'made';

/** The current plans and prices; the configuration and operators may replace them while the server runs. */
export class PlanBook {
  #configured: Plans;
  #made: Plans;
  #plans: Plans;
  #prices: Prices;
  #sinceMs: number;

  /** Tells when a day, a week and a month of a budget begin. */
  readonly calendar: Calendar;

  /** `made`: by operators. */
  constructor(
    plans: Plans,
    nowMs: number,
    calendar = new Calendar(),
    prices: Prices = {},
    made: Plans = new Map(),
  ) {
    this.calendar = calendar;
    this.#configured = plans;
    this.#made = made;
    this.#plans = this.#merged();
    this.#prices = prices;
    this.#sinceMs = nowMs;
  }

  get plans(): Plans {
    return this.#plans;
  }

  /** When this process began to use these plans, Unix ms. */
  get sinceMs(): number {
    return this.#sinceMs;
  }

  replace(plans: Plans, nowMs: number, prices: Prices = {}): void {
    this.#configured = plans;
    this.#plans = this.#merged();
    this.#prices = prices;
    this.#sinceMs = nowMs;
  }

  /** The same for the plans that operators have made. */
  replaceMade(made: Plans, nowMs: number): void {
    this.#made = made;
    this.#plans = this.#merged();
    this.#sinceMs = nowMs;
  }

  sourceOf(name: string): PlanSource {
    const configured = this.#configured.get(name);
    if (configured !== undefined && configured !== defaultPlans.get(name)) return 'file';
    return this.#made.has(name) ? 'made' : 'built_in';
  }

  /** Names of plans that operators have made and that the configuration has too, whose plans hold. */
  get hidden(): string[] {
    return [...this.#made.keys()].filter((name) => this.sourceOf(name) === 'file');
  }

  /** Those of operators replace built-in ones, and those of the configuration hold before all. */
  #merged(): Plans {
    const own = [...plansWith(this.#made)].filter(([name]) => this.sourceOf(name) === 'made');
    return own.length === 0 ? this.#configured : new Map([...this.#configured, ...own]);
  }

  /** When the account's trial is over, Unix ms; null when it is on another plan, or its trial has no end. */
  trialEndsAtMs({ plan, createdAtMs }: PlanHolder): number | null {
    const durationMs = plan === trialPlanName ? this.#plans.get(plan)?.durationMs : undefined;
    return durationMs === undefined ? null : createdAtMs + durationMs;
  }

  /**
   * The plan that holds for an account at `nowMs`, since when and until when: its own, or `reduced` after its trial.
   * A plan that the configuration no longer has gives `reduced` too, so that a typing mistake lifts no limits.
   */
  inForce(account: PlanHolder, nowMs: number): { name: string; sinceMs: number; endsAtMs: number | null } {
    const endsAtMs = this.trialEndsAtMs(account);
    if (endsAtMs !== null && nowMs >= endsAtMs) {
      return { name: reducedPlanName, sinceMs: Math.max(endsAtMs, account.planSetAtMs), endsAtMs: null };
    }
    const name = this.#plans.has(account.plan) ? account.plan : reducedPlanName;
    return { name, sinceMs: account.planSetAtMs, endsAtMs };
  }

  /** The share of a batch's tokens that is charged on this plan; 1: all of them. */
  batchFactor(planName: string): number {
    return this.#plans.get(planName)?.batchFactor ?? 1;
  }

  /** The price of a model now; undefined: it costs nothing. */
  priceOf(modelId: string): Price | undefined {
    return Object.hasOwn(this.#prices, modelId) ? this.#prices[modelId] : this.#prices['*'];
  }

  accountBudgets(planName: string): BudgetLimits {
    return this.#plans.get(planName)?.accountBudgets ?? {};
  }

  limitsFor(planName: string, modelId: string): Limits {
    const plan = this.#plans.get(planName) ?? this.#plans.get(reducedPlanName) ?? nothing;
    return limitsFor(plan, modelId);
  }
}
