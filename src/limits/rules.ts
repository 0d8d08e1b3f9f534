import {
  type PlanBook,
  measures,
  windowMs,
  windows,
  type Measure,
  type Plans,
  type Window,
} from '../accounts/plans.ts';

export interface Rule {
  readonly measure: Measure;
  readonly window: Window;
  readonly windowMs: number;
  readonly limitUnits: number;
}

/** Units of account per whole of a measure: audio is counted in milliseconds, the rest as it comes. */
export const unitsPer: Readonly<Record<Measure, number>> = {
  requests: 1,
  inputTokens: 1,
  outputTokens: 1,
  audioSeconds: 1000,
};

/** Whether a budget of tokens pays for it. */
export const isTokens = (measure: Measure) => measure === 'inputTokens' || measure === 'outputTokens';

export function isMeasure(text: string): text is Measure {
  return (measures as readonly string[]).includes(text);
}

export function isWindow(text: string): text is Window {
  return Object.hasOwn(windowMs, text);
}

/** The rules for each plan and model, computed once until the plans are replaced. */
export class RuleBook {
  readonly #plans: PlanBook;
  readonly #cache = new Map<string, readonly Rule[]>();
  #cachedPlans: Plans | undefined;

  constructor(plans: PlanBook) {
    this.#plans = plans;
  }

  /** All rules of a plan for a canonical model id, whatever the measure. */
  of(planName: string, modelId: string): readonly Rule[] {
    if (this.#cachedPlans !== this.#plans.plans) {
      this.#cache.clear();
      this.#cachedPlans = this.#plans.plans;
    }
    // Neither plan names nor model ids hold a line break.
    const name = `${planName}\n${modelId}`;
    let rules = this.#cache.get(name);
    if (rules === undefined) {
      rules = this.#resolve(planName, modelId);
      this.#cache.set(name, rules);
    }
    return rules;
  }

  #resolve(planName: string, modelId: string): Rule[] {
    const limits = this.#plans.limitsFor(planName, modelId);
    return measures.flatMap((measure) =>
      windows.flatMap((window) => {
        const limit = limits[measure]?.[window];
        if (limit === undefined) return [];
        return [{ measure, window, windowMs: windowMs[window], limitUnits: limit * unitsPer[measure] }];
      }),
    );
  }
}
