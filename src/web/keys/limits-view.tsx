import type { LimitList } from '../api/types.ts';
import { useUser } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Progress } from '../ui/controls.tsx';
import { toTime } from '../times.ts';
import { Balances } from './balances.tsx';
import { BudgetBars } from './budget-fields.tsx';

const pollMs = 5000;

const planOf = ({ plan, plan_ends_at: end }: LimitList): string =>
  end === null ? t.keys.onPlan(plan) : t.keys.onPlanUntil(plan, toTime(end));

/** The person's own limits, and how much of each is left. */
export function LimitsView() {
  const limits = useUser<LimitList>('limits', pollMs);
  return (
    <div class="page">
      <h1>{t.keys.myLimits}</h1>
      {limits.value !== undefined && <p class="lead">{planOf(limits.value)}</p>}
      <Progress of={limits} />
      {limits.value !== undefined && (
        <section class="card">
          <BudgetBars budgets={limits.value.budgets} />
          {(limits.value.budgets.length === 0 || limits.value.data.length > 0) && (
            <Balances limits={limits.value.data} />
          )}
        </section>
      )}
      <p>
        <a href="#/usage">{t.keys.seeUsage}</a>
      </p>
    </div>
  );
}
