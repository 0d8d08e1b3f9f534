import { useState } from 'preact/hooks';
import { inWords } from '../../words/in-words.ts';
import { ApiError } from '../api/request.ts';
import type { Account, PlanList } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { doHere, type Act } from '../state/polled.ts';
import { mayChange } from '../state/rights.ts';
import { t } from '../operator-texts.ts';
import { Button, IconButton } from '../ui/controls.tsx';
import { ChoiceField, Input, TextField } from '../ui/fields.tsx';
import { openDialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { NumberCell, Table } from '../ui/table.tsx';
import { toSpan } from '../span.ts';
import { joined, toAmount } from '../words.ts';
import { BudgetFields, toBudgets, type BudgetWish } from './budget-fields.tsx';
import { RemoveButton } from './remove-button.tsx';
import { NameField } from './name-field.tsx';

type Plan = PlanList['data'][number];
type Measure = keyof Plan['limits'];
/** By measure and window. */
export type Amounts = Readonly<Record<string, Readonly<Record<string, number | undefined>> | null>>;

const measures = ['requests', 'input_tokens', 'output_tokens', 'audio_seconds'] as const satisfies Measure[];
/** Names of the plans that hearth has by itself. A made plan of one of these names hides it. */
const builtIn = new Set(['trial', 'reduced', 'standard', 'unlimited']);
const windows = Object.keys(t.plans.windows) as (keyof typeof t.plans.windows)[];

/** What a plan allows each key, in a line: `60 requests per minute, 2K per day; 1M output tokens per day`. */
export const limitsOf = ({ limits }: Pick<Plan, 'limits'>): string =>
  amountsOf(limits).join('; ') || t.keys.unlimited;

/** What a plan allows each account over all its keys. */
const budgetsOf = ({ account }: Plan): string => amountsOf(account).join('; ');

/** A text for each measure. */
export const amountsOf = (amounts: Amounts): string[] =>
  [...Map.groupBy(listOf(amounts), ([measure]) => measure)].map(([measure, each]) =>
    each
      .map(([, window, amount], index) => {
        const what = index > 0 ? '' : ` ${inWords(amount === 1 ? measure.slice(0, -1) : measure)}`;
        const figure = measure === 'audio_seconds' ? toSpan(amount) : `${toAmount(amount)}${what}`;
        const sound = measure === 'audio_seconds' && index === 0 ? t.plans.ofAudio : '';
        return t.keys.perWindow(`${figure}${sound}`, t.plans.times[window] ?? window);
      })
      .join(', '),
  );

const listOf = (amounts: Amounts) =>
  Object.entries(amounts).flatMap(([measure, times]) =>
    Object.entries(times ?? {}).map(([window, amount]) => [measure, window, Number(amount)] as const),
  );

interface FieldProps {
  readonly plan: string;
  readonly plans: readonly Plan[];
  readonly onChange: (plan: string) => void;
}

/** The choice of a plan, with what that allows. */
export function PlanField({ plan, plans, onChange }: FieldProps) {
  const chosen = plans.find(({ name }) => name === plan);
  return (
    <ChoiceField
      label={t.keys.plan}
      hint={chosen && [limitsOf(chosen), budgetsOf(chosen)].filter(Boolean).join('; ')}
      value={plan}
      onChange={onChange}
      options={plans.map(({ name }) => [name, name])}
    />
  );
}

interface Props {
  readonly plans: readonly Plan[];
  readonly accounts: readonly Account[];
  readonly act: Act;
}

/** What each plan allows, and how many accounts are on it; those of the file are changed there. */
export function Plans({ plans, accounts, act }: Props) {
  const usersOf = (plan: Plan) => accounts.filter(({ plan: name }) => name === plan.name);
  const edit = (plan?: Plan) =>
    openDialog((close) => (
      <PlanDialog plan={plan} users={plan ? usersOf(plan).length : 0} act={act} onClose={close} />
    ));
  return (
    <section class="card" id="plans">
      <header>
        <h2>{t.keys.plans}</h2>
        {mayChange.value && <Button text={t.plans.create} onClick={() => edit()} />}
      </header>
      <p class="quiet">{t.plans.lead}</p>
      <Table class="wraps stacks plans" titles={t.plans.columns} numbers={['used']} hasActions>
        {plans.map((plan) => (
          <PlanRow key={plan.name} plan={plan} users={usersOf(plan)} onChange={() => edit(plan)} />
        ))}
      </Table>
      {plans.some(({ source }) => source === 'file') && <p class="quiet">{t.plans.hint}</p>}
    </section>
  );
}

interface RowProps {
  readonly plan: Plan;
  readonly users: readonly Account[];
  readonly onChange: () => void;
}

function PlanRow({ plan, users, onChange }: RowProps) {
  const { name, source, days } = plan;
  const facts = joined(t.plans.sources[source], days !== null && t.keys.forDays(days));
  const limits = amountsOf(plan.limits);
  return (
    <tr>
      <th scope="row" class="nowrap">
        {name}
        <small>{facts}</small>
      </th>
      <td data-title={t.plans.columns.limits}>
        <Lines lines={limits.length === 0 ? [t.keys.unlimited] : limits} />
        <Lines lines={Object.entries(plan.models).map(([model, own]) => `${model}: ${limitsOf(own)}`)} />
      </td>
      <td data-title={t.plans.columns.account}>
        <Lines lines={amountsOf(plan.account)} />
      </td>
      <NumberCell
        title={t.plans.columns.used}
        value={users.length}
        more={users.map((user) => user.name).join(', ')}
      />
      <td>
        {source !== 'file' && mayChange.value && (
          <span class="row-actions">
            <IconButton icon="edit" label={`${t.keys.change}: ${name}`} onClick={onChange} />
          </span>
        )}
      </td>
    </tr>
  );
}

const Lines = ({ lines }: { lines: readonly string[] }) => lines.map((line) => <div key={line}>{line}</div>);

/** By measure and window, as they are being written; '' is none. */
type LimitWishes = Readonly<Record<string, string>>;

const wishesOf = (plan: Plan | undefined): LimitWishes =>
  Object.fromEntries(
    listOf(plan?.limits ?? {}).map(([measure, window, amount]) => [`${measure} ${window}`, String(amount)]),
  );

/** As the API takes them. */
const toLimits = (wishes: LimitWishes) =>
  Object.fromEntries(
    measures.map((measure) => [
      measure,
      Object.fromEntries(
        windows.flatMap((window) => {
          const amount = wishes[`${measure} ${window}`];
          return amount ? [[window, Number(amount)]] : [];
        }),
      ),
    ]),
  );

interface DialogProps {
  /** undefined: a new one is made. */
  readonly plan: Plan | undefined;
  /** How many accounts are on it. */
  readonly users: number;
  readonly act: Act;
  readonly onClose: () => void;
}

/** A plan's limits, budgets and end. What it has for single models and for batches stays. */
function PlanDialog({ plan, users, act, onClose }: DialogProps) {
  const [name, setName] = useState(plan?.name ?? '');
  const [days, setDays] = useState(String(plan?.days ?? ''));
  const [limits, setLimits] = useState(wishesOf(plan));
  const [budgets, setBudgets] = useState<readonly BudgetWish[]>(
    listOf(plan?.account ?? {}).map(([measure, period, limit]) => ({
      measure: measure as BudgetWish['measure'],
      period: period as BudgetWish['period'],
      limit: String(limit),
    })),
  );
  const save = async () => {
    // To save a plan would replace another one of its name, and bring back one that somebody deleted.
    const { data } = await adminJson<PlanList>('plans');
    const isThere = data.some((one) => one.name === name.trim());
    if (plan === undefined && isThere) throw new ApiError(t.plans.exists(name.trim()), { param: 'name' });
    if (plan !== undefined && !isThere) throw new Error(t.plans.gone);
    const body = {
      name: name.trim(),
      days: days === '' ? undefined : Number(days),
      batch: plan?.batch,
      models: plan?.models,
      limits: toLimits(limits),
      account: toBudgets(budgets),
    };
    await doHere(act, asAdmin('plans', { method: 'POST', body }));
  };
  const isBuiltIn = builtIn.has(plan?.name ?? '');
  const isRemovable = plan?.source === 'made' && (isBuiltIn || users === 0);
  return (
    <FormDialog
      title={plan?.name ?? t.plans.create}
      action={t.keys.save}
      work={save}
      onClose={onClose}
      beside={
        isRemovable && (
          <RemoveButton
            action={t.plans.remove}
            question={t.plans.removeQuestion(plan.name, users, isBuiltIn)}
            path={`plans/${encodeURIComponent(plan.name)}`}
            act={act}
            onClose={onClose}
          />
        )
      }
    >
      {plan === undefined && (
        <NameField label={t.keys.name} required most={64} value={name} onChange={setName} />
      )}
      {plan?.name === 'trial' && (
        <TextField name="days" type="number" label={t.plans.days} min={1} value={days} onChange={setDays} />
      )}
      <LimitFields limits={limits} onChange={setLimits} />
      <BudgetFields wishes={budgets} onChange={setBudgets} />
      <p class="quiet">{t.plans.ofAccount}</p>
      {plan?.source === 'made' && !isRemovable && <p class="quiet">{t.plans.inUse(users)}</p>}
    </FormDialog>
  );
}

interface LimitFieldsProps {
  readonly limits: LimitWishes;
  readonly onChange: (limits: LimitWishes) => void;
}

/** What each key may use of each model in a time. */
const LimitFields = ({ limits, onChange }: LimitFieldsProps) => (
  <fieldset>
    <legend>{t.plans.limits}</legend>
    <Table class="limits stacks" titles={{ of: t.plans.of, ...t.plans.windows }}>
      {measures.map((measure) => (
        <tr key={measure}>
          <th scope="row">{inWords(measure)}</th>
          {windows.map((window) => (
            <td key={window} data-title={t.plans.windows[window]}>
              <Input
                type="number"
                aria-label={t.keys.perWindow(inWords(measure), t.plans.times[window] ?? window)}
                min={1}
                placeholder="∞"
                value={limits[`${measure} ${window}`] ?? ''}
                onChange={(amount) => onChange({ ...limits, [`${measure} ${window}`]: amount })}
              />
            </td>
          ))}
        </tr>
      ))}
    </Table>
  </fieldset>
);
