import { useState } from 'preact/hooks';
import { mostTrialDays } from '../../../bounds.ts';
import { ApiError } from '../../api/request.ts';
import type { PlanList } from '../../api/types.ts';
import { adminJson, asAdmin } from '../../state/session.ts';
import { doHere, type Act } from '../../state/polled.ts';
import { t } from '../../words/operator-texts.ts';
import { ChoiceField, TextField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { showMade } from '../../ui/tables/show-made.ts';
import { Table } from '../../ui/tables/table.tsx';
import { AmountInput, problemOf } from '../../limits/amount-input.tsx';
import { listOf, toAmountText, toNumber } from '../../limits/amounts.ts';
import { BudgetFields, toBudgets, type BudgetWish } from '../../limits/budget-fields.tsx';
import { toAmount } from '../../words/formats.ts';
import { NameField } from '../name-field.tsx';
import { RemoveButton } from '../rows/remove-button.tsx';
import { told } from '../rows/told.tsx';
import './plan-dialog.css';

export type Plan = PlanList['data'][number];
const measures = Object.keys(t.plans.measures) as (keyof Plan['limits'])[];
const windows = Object.keys(t.plans.windows) as (keyof typeof t.plans.windows)[];

/** Names of the plans that hearth has by itself. A made plan of one of these names hides it. */
const builtIn = new Set(['trial', 'reduced', 'standard', 'unlimited']);
/** The plan that a new one begins as, unless another is chosen. */
const usual = 'standard';

/** By measure and window, as they are being written; '' is none. */
type LimitWishes = Readonly<Record<string, string>>;

/** The limits and budgets of a plan, as they are being written. */
const wishesOf = (plan: Plan | undefined) => ({
  limits: Object.fromEntries(
    listOf(plan?.limits ?? {}).map(([measure, window, amount]) => [
      `${measure} ${window}`,
      toAmountText(measure, amount),
    ]),
  ) as LimitWishes,
  budgets: listOf(plan?.account ?? {}).map(([measure, period, limit]) => ({
    measure: measure as BudgetWish['measure'],
    period: period as BudgetWish['period'],
    limit: toAmountText(measure, limit),
  })) as readonly BudgetWish[],
});

/** Limits as the API takes them. */
const toLimits = (wishes: LimitWishes) =>
  Object.fromEntries(
    measures.map((measure) => [
      measure,
      Object.fromEntries(
        windows.flatMap((window) => {
          const amount = wishes[`${measure} ${window}`];
          return amount ? [[window, toNumber(measure, amount)]] : [];
        }),
      ),
    ]),
  );

/** Limits and budgets as the API takes them. */
const toAmounts = ({ limits, budgets }: ReturnType<typeof wishesOf>) => ({
  limits: toLimits(limits),
  account: toBudgets(budgets),
});

interface Props {
  /** undefined: a new one is made. */
  readonly plan: Plan | undefined;
  /** The plan that a new one begins as, unless another is chosen. */
  readonly from?: Plan;
  /** Those that a new one may begin as. */
  readonly plans: readonly Plan[];
  /** How many accounts are on it. */
  readonly users?: number;
  /** How many open invitations are for it. */
  readonly invited?: number;
  readonly act: Act;
  readonly onClose: () => void;
}

/** A plan's limits, budgets and end. Its limits for single models and for batches stay. */
export function PlanDialog({ plan, from, plans, users = 0, invited = 0, act, onClose }: Props) {
  const [base, setBase] = useState(plan ?? from ?? plans.find(({ name }) => name === usual));
  const [name, setName] = useState(plan?.name ?? '');
  const [days, setDays] = useState(String(plan?.days ?? ''));
  const [wishes, setWishes] = useState(wishesOf(base));
  const begin = (next: Plan | undefined) => {
    setBase(next);
    setWishes(wishesOf(next));
  };
  const save = async () => {
    await checkName(name.trim(), plan === undefined);
    const written = { name: name.trim(), days: days === '' ? undefined : Number(days) };
    const body = { ...written, ...toAmounts(wishes), batch: base?.batch, models: base?.models };
    await doHere(act, asAdmin('plans', { method: 'POST', body }));
    showMade(written.name);
    told.value = (plan ? t.plans.saved : t.plans.made)(written.name);
  };
  const isBuiltIn = builtIn.has(plan?.name ?? '');
  const isRemovable = plan?.source === 'made' && (isBuiltIn || users + invited === 0);
  return (
    <FormDialog
      title={plan === undefined ? t.keys.makes.plan : t.plans.titleOf(plan.name)}
      action={plan === undefined ? t.plans.make : t.keys.save}
      work={save}
      onClose={onClose}
      beside={
        isRemovable && (
          <RemoveButton
            action={t.plans.remove}
            question={t.plans.removeQuestion(plan.name, isBuiltIn, users, invited)}
            done={t.plans.removed(plan.name)}
            path={`plans/${encodeURIComponent(plan.name)}`}
            act={act}
            onClose={onClose}
          />
        )
      }
    >
      {plan !== undefined && (
        <p class="quiet">{t.plans.changes(isRemovable || plan.source !== 'made', users, invited)}</p>
      )}
      {from?.source === 'file' && <p class="quiet">{t.plans.ofFile(from.name)}</p>}
      {plan === undefined && (
        <div class="columns">
          <PlanNameField plans={plans} value={name} onChange={setName} />
          <BaseField base={base} plans={plans} onChange={begin} />
        </div>
      )}
      {plan?.name === 'trial' && <DaysField value={days} onChange={setDays} />}
      <LimitFields limits={wishes.limits} onChange={(limits) => setWishes({ ...wishes, limits })} />
      <BudgetFields
        lead={t.plans.ofAccount}
        wishes={wishes.budgets}
        onChange={(budgets) => setWishes({ ...wishes, budgets })}
      />
    </FormDialog>
  );
}

/** Why a name cannot be taken that `other` has; '': none has it. */
const takenBy = (other: Plan | undefined): string =>
  other === undefined ? '' : t.plans.exists(other.name, other.source === 'file');

interface PlanNameProps extends Pick<Props, 'plans'> {
  readonly value: string;
  readonly onChange: (name: string) => void;
}

const PlanNameField = ({ plans, ...field }: PlanNameProps) => (
  <NameField
    label={t.keys.name}
    required
    most={64}
    wrong={takenBy(plans.find(({ name }) => name === field.value.trim()))}
    {...field}
  />
);

/** Throws where a plan would replace another one of its name, or bring back one that somebody deleted. */
async function checkName(name: string, isNew: boolean): Promise<void> {
  const { data } = await adminJson<PlanList>('plans');
  const other = data.find((one) => one.name === name);
  if (isNew && other !== undefined) throw new ApiError(takenBy(other), { param: 'name' });
  if (!isNew && other === undefined) throw new Error(t.plans.gone);
}

const DaysField = (field: { readonly value: string; readonly onChange: (days: string) => void }) => (
  <TextField name="days" type="number" label={t.plans.days} min={1} max={mostTrialDays} {...field} />
);

interface BaseProps extends Pick<Props, 'plans'> {
  readonly base: Plan | undefined;
  readonly onChange: (base: Plan | undefined) => void;
}

/** The plan that a new one begins as. */
const BaseField = ({ base, plans, onChange }: BaseProps) => (
  <ChoiceField
    label={t.plans.base}
    value={base?.name ?? ''}
    onChange={(from) => onChange(plans.find(({ name }) => name === from))}
    options={[...plans.map(({ name }) => [name, t.plans.copyOf(name)] as const), ['', t.plans.empty]]}
  />
);

/** Of more requests a minute they come back too fast for a time to be told. */
const mostOfExample = 6000;

/** How limits refill, by the written number, or by a usual one; undefined: the written text is no such number. */
function exampleOf(limits: LimitWishes): string | undefined {
  const written = limits['requests minute']?.trim() || '60';
  const count = toNumber('requests', written);
  if (problemOf('requests', written) !== '' || count > mostOfExample) return undefined;
  return t.plans.limitsExample(count, `${toAmount(60 / count)} s`);
}

interface LimitFieldsProps {
  readonly limits: LimitWishes;
  readonly onChange: (limits: LimitWishes) => void;
}

/** The limits of each key for each model in a time. */
const LimitFields = ({ limits, onChange }: LimitFieldsProps) => (
  <fieldset>
    <legend>{t.plans.limits}</legend>
    <p class="quiet">{exampleOf(limits)}</p>
    <Table class="limits stacks" titles={{ limit: t.plans.limit, ...t.plans.windows }}>
      {measures.map((measure) => (
        <tr key={measure}>
          <th scope="row">{t.plans.measures[measure]}</th>
          {windows.map((window) => (
            <td key={window} data-title={t.plans.windows[window]}>
              <AmountInput
                measure={measure}
                aria-label={nameOf(measure, window)}
                placeholder={t.keys.anyNumber}
                value={limits[`${measure} ${window}`] ?? ''}
                onChange={(amount) => onChange({ ...limits, [`${measure} ${window}`]: amount })}
              />
            </td>
          ))}
        </tr>
      ))}
    </Table>
    <UselessLimits limits={limits} />
  </fieldset>
);

/** Names the limits that are above one of a longer time: they hold nobody up, but may be meant otherwise. */
function UselessLimits({ limits }: Pick<LimitFieldsProps, 'limits'>) {
  const amountOf = (measure: string, window: string) =>
    toNumber(measure, limits[`${measure} ${window}`] || 'none');
  const names = measures.flatMap((measure) =>
    windows
      .filter((window, at) =>
        windows.slice(at + 1).some((longer) => amountOf(measure, window) > amountOf(measure, longer)),
      )
      .map((window) => nameOf(measure, window)),
  );
  if (names.length === 0) return null;
  return (
    <p class="quiet" role="status">
      {t.plans.noEffect(names.join(', '))}
    </p>
  );
}

const nameOf = (measure: (typeof measures)[number], window: string): string =>
  t.keys.perWindow(t.plans.measures[measure], t.plans.times[window] ?? window);
