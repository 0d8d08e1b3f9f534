import type { PlanList } from '../api/types.ts';
import { t } from '../operator-texts.ts';
import { limitsOf } from './plan-words.ts';

/** What each plan allows, for all models and for those with limits of their own. */
export function PlanTable({ plans }: { plans: PlanList['data'] }) {
  return (
    <section class="card">
      <h2>{t.keys.plans}</h2>
      <div class="scroll" tabindex={0}>
        <table class="wraps">
          <tbody>
            {plans.map((plan) => (
              <tr key={plan.name}>
                <th scope="row">{plan.name}</th>
                <td>
                  {limitsOf(plan)}
                  {Object.entries(plan.models).map(([model, own]) => (
                    <div key={model} class="quiet">
                      {model}: {limitsOf(own)}
                    </div>
                  ))}
                </td>
                <td class="quiet">{plan.days === null ? '' : t.keys.forDays(plan.days)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="quiet">{t.keys.plansHint}</p>
    </section>
  );
}
