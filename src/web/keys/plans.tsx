import { useState } from 'preact/hooks';
import { inWords } from '../../words/in-words.ts';
import type { PlanList } from '../api/types.ts';
import { asAdmin } from '../state/session.ts';
import type { Act } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Button, IconButton } from '../ui/controls.tsx';
import { ChoiceField, Input, TextField } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Table } from '../ui/table.tsx';
import { toAmount, toSpan } from '../words.ts';
import { BudgetFields, toBudgets, type BudgetWish } from './budget-fields.tsx';
import { RemoveButton } from './remove-button.tsx';

type Plan = PlanList['data'][number];
type Measure = keyof Plan['limits'];
/** By measure and window. */
export type Amounts = Readonly<Record<string, Readonly<Record<string, number | undefined>> | null>>;

const measures = ['requests', 'input_tokens', 'output_tokens', 'audio_seconds'] as const satisfies Measure[];
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
  readonly act: Act;
}

/** What each plan allows, for all models and for those with limits of their own; those of the file are changed there. */
export function Plans({ plans, act }: Props) {
  const [edited, setEdited] = useState<Plan | 'new'>();
  return (
    <section class="card">
      <header>
        <h2>{t.keys.plans}</h2>
        <Button text={t.plans.create} onClick={() => setEdited('new')} />
      </header>
      <Table class="wraps stacks plans">
        {plans.map((plan) => (
          <tr key={plan.name}>
            <th scope="row" class="nowrap">
              {plan.name}
              <small>{t.plans.sources[plan.source]}</small>
            </th>
            <td>
              {(amountsOf(plan.limits).length === 0 ? [t.keys.unlimited] : amountsOf(plan.limits)).map(
                (line) => (
                  <div key={line}>{line}</div>
                ),
              )}
              {budgetsOf(plan) !== '' && <div>{t.keys.perAccount(budgetsOf(plan))}</div>}
              {Object.entries(plan.models).map(([model, own]) => (
                <div key={model} class="quiet">
                  {model}: {limitsOf(own)}
                </div>
              ))}
              {plan.days !== null && <div class="quiet">{t.keys.forDays(plan.days)}</div>}
            </td>
            <td>
              {plan.source !== 'file' && (
                <span class="row-actions">
                  <IconButton
                    icon="edit"
                    label={`${t.keys.change}: ${plan.name}`}
                    onClick={() => setEdited(plan)}
                  />
                </span>
              )}
            </td>
          </tr>
        ))}
      </Table>
      <p class="quiet">{t.plans.hint}</p>
      {edited !== undefined && (
        <PlanDialog
          plan={edited === 'new' ? undefined : edited}
          taken={plans.map(({ name }) => name)}
          act={act}
          onClose={() => setEdited(undefined)}
        />
      )}
    </section>
  );
}

/** By measure and window, as they are being written; '' is none. */
type LimitWishes = Readonly<Record<string, string>>;

const wishesOf = (plan: Plan | undefined): LimitWishes =>
  Object.fromEntries(
    listOf(plan?.limits ?? {}).map(([measure, window, amount]) => [`${measure} ${window}`, String(amount)]),
  );

interface DialogProps {
  /** undefined: a new one is made. */
  readonly plan: Plan | undefined;
  /** The names of all plans: to save one of these would replace it. */
  readonly taken: readonly string[];
  readonly act: Act;
  readonly onClose: () => void;
}

/** A plan's limits and budgets. What it has for single models and for batches stays. */
function PlanDialog({ plan, taken, act, onClose }: DialogProps) {
  const [name, setName] = useState(plan?.name ?? '');
  const [limits, setLimits] = useState(wishesOf(plan));
  const [budgets, setBudgets] = useState<readonly BudgetWish[]>(
    listOf(plan?.account ?? {}).map(([measure, period, limit]) => ({
      measure: measure as BudgetWish['measure'],
      period: period as BudgetWish['period'],
      limit: String(limit),
    })),
  );
  const save = async () => {
    if (plan === undefined && taken.includes(name.trim())) throw new Error(t.plans.exists(name.trim()));
    const perWindow = (measure: Measure) =>
      Object.fromEntries(
        windows.flatMap((window) => {
          const amount = limits[`${measure} ${window}`];
          return amount ? [[window, Number(amount)]] : [];
        }),
      );
    const body = {
      name: name.trim(),
      days: plan?.days,
      batch: plan?.batch,
      models: plan?.models,
      limits: Object.fromEntries(measures.map((measure) => [measure, perWindow(measure)])),
      account: toBudgets(budgets),
    };
    const saving = asAdmin('plans', { method: 'POST', body });
    await act(saving.catch(() => undefined));
    await saving;
  };
  return (
    <FormDialog
      title={plan?.name ?? t.plans.create}
      action={t.keys.save}
      work={save}
      onClose={onClose}
      beside={
        plan?.source === 'made' && (
          <RemoveButton
            action={t.plans.remove}
            question={t.plans.removeQuestion(plan.name)}
            path={`plans/${encodeURIComponent(plan.name)}`}
            act={act}
            onClose={onClose}
          />
        )
      }
    >
      {plan === undefined && (
        <TextField label={t.keys.name} required maxlength={64} value={name} onChange={setName} />
      )}
      <LimitFields limits={limits} onChange={setLimits} />
      <BudgetFields wishes={budgets} onChange={setBudgets} />
      <p class="quiet">{t.plans.ofAccount}</p>
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
