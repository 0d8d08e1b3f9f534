import { invalidValue } from '../errors/errors.ts';
import type { Store } from '../store/store.ts';
import { noteAct } from './audit.ts';
import { defaultPlans, trialPlanName, type Plan, type PlanBook, type Plans } from './plans.ts';
import type { Clock } from './types.ts';

interface MadePlansDeps {
  readonly store: Store;
  readonly plans: PlanBook;
  readonly now: Clock;
}

const namePattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,63}$/u;
const mostNamed = 3;

/** The plans that operators have made, as they are stored. */
export function readMadePlans({ plans }: Pick<Store, 'plans'>): Plans {
  return new Map(plans.list().map(({ name, plan }) => [name, fromJson(plan)]));
}

function fromJson(json: string): Plan {
  const { modelLimits, ...plan } = JSON.parse(json) as Plan;
  return { ...plan, modelLimits: new Map(Object.entries(modelLimits)) };
}

const toPlainPlan = ({ modelLimits, ...plan }: Plan) => ({
  ...plan,
  modelLimits: Object.fromEntries(modelLimits),
});

/** Plans that operators make beside those of the configuration. Methods throw AppError with a public message. */
export class MadePlans {
  readonly #deps: MadePlansDeps;

  constructor(deps: MadePlansDeps) {
    this.#deps = deps;
  }

  /** Makes a plan, or replaces one that is not the configuration's; it holds from the next request on. */
  set(name: string, plan: Plan): void {
    const { plans } = this.#deps;
    if (!namePattern.test(name))
      throw invalidValue(
        'name',
        'A plan name has 1 to 64 letters, digits, spaces or . _ - and starts with a letter or digit.',
      );
    if (plans.sourceOf(name) === 'file')
      throw invalidValue(
        'name',
        `The plan "${name}" stands in hearth.yaml under plans. Change it there and have hearth read that again (SIGHUP), or choose another name.`,
      );
    if (plan.durationMs !== undefined && name !== trialPlanName)
      throw invalidValue('days', `Only the plan ${trialPlanName} has an end.`);
    this.#write(name, plan);
  }

  /** Takes such a plan away; a built-in one of its name holds again. */
  remove(name: string): void {
    const { plans } = this.#deps;
    const made = readMadePlans(this.#deps.store);
    if (!made.has(name))
      throw invalidValue(
        'name',
        plans.plans.has(name)
          ? `The plan "${name}" was not made here: ${plans.sourceOf(name) === 'file' ? 'it stands in hearth.yaml under plans' : 'it is built in'}.`
          : `There is no plan "${name}".`,
      );
    if (plans.sourceOf(name) === 'made' && !defaultPlans.has(name)) this.#checkUnused(name);
    this.#write(name, undefined);
  }

  /** Accounts on a plan that is gone would have the limits of `reduced`. */
  #checkUnused(name: string): void {
    const { store, now } = this.#deps;
    const holders = store.accounts.list().filter(({ plan }) => plan === name);
    const first = holders.slice(0, mostNamed).map((account) => account.name);
    const others = holders.length > mostNamed ? ` and ${holders.length - mostNamed} more` : '';
    if (holders.length > 0)
      throw invalidValue(
        'name',
        `Accounts are on the plan "${name}": ${first.join(', ')}${others}. Put them on another one first.`,
      );
    const open = store.invitations
      .list()
      .find((one) => one.plan === name && one.closedAtMs === null && one.expiresAtMs > now());
    if (open !== undefined)
      throw invalidValue('name', `The invitation ${open.id} is for the plan "${name}". Close it first.`);
  }

  #write(name: string, plan: Plan | undefined): void {
    const { store, plans, now } = this.#deps;
    const nowMs = now();
    store.immediate(() => {
      const before = readMadePlans(store).get(name);
      if (plan === undefined) store.plans.delete(name);
      else store.plans.set({ name, plan: JSON.stringify(toPlainPlan(plan)), changedAtMs: nowMs });
      const act = plan === undefined ? 'plan.remove' : before === undefined ? 'plan.create' : 'plan.change';
      noteAct(store, nowMs, act, name, before ? toPlainPlan(before) : null, plan ? toPlainPlan(plan) : null);
    });
    plans.replaceMade(readMadePlans(store), nowMs);
  }
}
