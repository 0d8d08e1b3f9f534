import type { LimitList, ListOf, Model, UsageList } from '../api/types.ts';
import { useUser } from '../state/asked.ts';
import { isWell } from '../state/models.ts';
import { t } from '../words/operator-texts.ts';
import { Progress } from '../ui/progress.tsx';
import { Fold } from '../ui/fold.tsx';
import { counted, sumByGroup, UnitsNote, UsageTable } from '../usage/usage-table.tsx';
import { toTime } from '../words/times.ts';
import { toSpan } from '../words/span.ts';
import { Balances, inShort, nameOfLimit } from './balances.tsx';
import { BudgetBars, nameOfBudget } from './budget-fields.tsx';
import { isUsedUp } from './used-up.ts';
import './limits.css';

const pollMs = 5000;

type Models = readonly Model[];

const planOf = ({ plan, plan_ends_at: end }: LimitList): string =>
  end === null ? t.keys.onPlan(plan) : t.keys.onPlanUntil(plan, toTime(end));

/** How much the person may do now, how much of each limit is left, and the usage of each model. */
export function LimitsView() {
  const limits = useUser<LimitList>('limits', pollMs);
  const models = useUser<ListOf<Model>>('models', pollMs);
  return (
    <div class="page">
      <header>
        <h1>{t.keys.myLimits}</h1>
        {limits.value !== undefined && <p class="lead">{planOf(limits.value)}</p>}
      </header>
      <Progress of={limits.value === undefined ? limits : models} />
      {limits.value !== undefined && models.value !== undefined && (
        <>
          <section class="card">
            <Now limits={limits.value} models={models.value.data} />
            <BudgetBars budgets={limits.value.budgets} />
            {limits.value.data.length > 0 && (
              <Balances limits={limits.value.data} isSecond={limits.value.budgets.length > 0} />
            )}
          </section>
          <OwnModels
            models={countedOnce(models.value.data)}
            hasUnits={limits.value.budgets.some(({ measure }) => measure === 'units')}
          />
        </>
      )}
    </div>
  );
}

/** Whether something can be asked now; where it cannot, why, and when it can again. */
function Now({ limits: { budgets, data }, models }: { limits: LimitList; models: Models }) {
  const spentBudgets = budgets.filter(({ left }) => left <= 0);
  const spent = Map.groupBy(
    data.filter(({ remaining }) => remaining < 1),
    ({ measure, window }) => `${measure} ${window}`,
  );
  const closed = new Set([...spent.values()].flat().map(({ model }) => model));
  const isClosed = budgets.some(isUsedUp);
  const away = countedOnce(models).filter((one) => !isWell(one));
  const state = t.limits.now({
    isFree: budgets.length + data.length === 0,
    isOpen: !isClosed && (closed.size === 0 || models.some(({ id }) => !closed.has(id))),
    isForAll: spentBudgets.length + closed.size === 0,
    away: inShort(idsOf(away)),
    isAnyThere: models.some(isWell),
  });
  return (
    <div class="allowed-now">
      <h2>
        <span class={`dot ${isClosed || closed.size + away.length > 0 ? 'failed' : 'loaded'}`} /> {state}
      </h2>
      {[...Map.groupBy(away, ({ runs_elsewhere: isElsewhere }) => isElsewhere)].map(
        ([isElsewhere, group]) => (
          <p key={isElsewhere}>{t.limits.away(inShort(idsOf(group)), group.length, isElsewhere)}</p>
        ),
      )}
      {/* Of the others their bars tell when they are full again. */}
      {spentBudgets
        .filter(({ resets_at: resetsAt }) => resetsAt === null)
        .map((budget) => (
          <p key={nameOfBudget(budget)}>{t.limits.spentForEver(nameOfBudget(budget))}</p>
        ))}
      {[...spent].map(([key, group]) => (
        <p key={key}>
          {t.limits.spent(
            group[0] === undefined ? '' : nameOfLimit(group[0]),
            inShort(group.map(({ model }) => model)),
            toSpan(Math.max(1, Math.min(...group.map(secondsToOne)))),
          )}
        </p>
      ))}
    </div>
  );
}

const idsOf = (models: Models) => models.map(({ id }) => id);

/** Until one more of it may be used: it refills evenly. */
const secondsToOne = ({ limit, remaining, full_in_seconds: seconds }: LimitList['data'][number]) =>
  Math.ceil((seconds * (1 - remaining)) / Math.max(1, limit - remaining));

const { requests, prompt_tokens, completion_tokens, units, audio_seconds, refused_requests } =
  t.usage.measures;
const shownMeasures = { requests, prompt_tokens, completion_tokens, audio_seconds, units, refused_requests };

/** Without the names by which models think first: `name-r` is no other model than `name`. */
function countedOnce(models: Models): Models {
  const ids = new Set(models.map(({ id }) => id));
  return models.filter(({ id }) => !(id.endsWith('-r') && ids.has(id.slice(0, -2))));
}

/** More names than these stay folded. */
const mostOpen = 8;

interface OwnProps {
  readonly models: Models;
  /** Whether budgets are told in units. */
  readonly hasUnits: boolean;
}

/** The models that the key may use, with its usage of each in a week. */
function OwnModels({ models, hasUnits }: OwnProps) {
  const usage = useUser<UsageList>('usage', pollMs);
  const used = counted(usage.value?.data ?? []);
  const unused = models.map(({ id }) => id).filter((id) => used.every(({ group }) => group !== id));
  return (
    <section class="card">
      <h2>{t.limits.models}</h2>
      <Progress of={usage} />
      {used.length > 0 && (
        <UsageTable sums={sumByGroup(used)} by="model" measure="requests" titles={shownMeasures} />
      )}
      <UnitsNote of={used} isNeeded={hasUnits} />
      {usage.value !== undefined && unused.length > 0 && (
        <Fold title={t.limits.unused(unused.length)} isOpen={used.length === 0 && unused.length <= mostOpen}>
          <p>{unused.join(', ')}</p>
        </Fold>
      )}
      <p>
        <a href="#/usage">{t.limits.seeUsage}</a>
      </p>
    </section>
  );
}
