import { useRef } from 'preact/hooks';
import type { Account } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { Button, IconButton } from '../ui/controls.tsx';
import { Choice, optionsOf } from '../ui/forms/fields.tsx';
import { toMoment } from '../words/times.ts';
import { AmountInput } from './amount-input.tsx';
import { toAmountText, toNumber } from './amounts.ts';
import { AllLeft, RestBar } from './balances.tsx';
import './budget-fields.css';

export type Budget = Account['budgets'][number];

/** A budget as it is being written; '' is none. */
export interface BudgetWish extends Pick<Budget, 'measure' | 'period'> {
  readonly limit: string;
}

const isOwn = ({ of_plan: ofPlan }: Budget) => !ofPlan;

export const toWishes = (budgets: readonly Budget[]): readonly BudgetWish[] =>
  budgets
    .filter(isOwn)
    .map(({ measure, period, limit }) => ({ measure, period, limit: toAmountText(measure, limit) }));

/** `wishes` as the API takes them, in place of the budgets that there were. */
export function toBudgets(wishes: readonly BudgetWish[], were: readonly Budget[] = []): object {
  const body: Record<string, Record<string, number | null>> = {};
  for (const { measure, period } of were.filter(isOwn)) (body[measure] ??= {})[period] = null;
  for (const { measure, period, limit } of wishes)
    if (limit !== '') (body[measure] ??= {})[period] = toNumber(measure, limit);
  return body;
}

interface FieldsProps {
  /** Whose they are. */
  readonly lead?: string;
  readonly wishes: readonly BudgetWish[];
  readonly onChange: (wishes: readonly BudgetWish[]) => void;
}

/** Budgets for a day, a week, a month or for ever: a line for each. */
export function BudgetFields({ lead, wishes, onChange }: FieldsProps) {
  const change = (index: number, wish: Partial<BudgetWish>) =>
    onChange(wishes.map((old, at) => (at === index ? { ...old, ...wish } : old)));
  const fields = useRef<HTMLFieldSetElement>(null);
  const add = () => {
    onChange([...wishes, { measure: 'tokens', period: 'day', limit: '' }]);
    // Its field is there in a moment, at the edge of a low dialog.
    setTimeout(() => {
      const field = fields.current?.querySelector<HTMLElement>('.with-button:last-of-type input');
      field?.focus();
      field?.scrollIntoView({ block: 'center' });
    });
  };
  return (
    <fieldset class="budgets" ref={fields}>
      <legend>{t.budgets.title}</legend>
      {lead !== undefined && <p class="quiet">{lead}</p>}
      {wishes.map(({ measure, period, limit }, index) => (
        <span key={index} class="with-button">
          <AmountInput
            measure={measure}
            aria-label={t.budgets.limit}
            required
            value={limit}
            onChange={(next) => change(index, { limit: next })}
          />
          <Choice
            label={t.budgets.measure}
            value={measure}
            onChange={(next) => change(index, { measure: next })}
            options={optionsOf(t.budgets.measures)}
          />
          <Choice
            label={t.budgets.period}
            value={period}
            onChange={(next) => change(index, { period: next })}
            options={optionsOf(t.budgets.periods)}
          />
          <IconButton
            icon="close"
            label={t.budgets.remove}
            onClick={() => onChange(wishes.toSpliced(index, 1))}
          />
        </span>
      ))}
      {wishes.some(({ measure }) => measure === 'units') && <p class="quiet">{t.budgets.units}</p>}
      <Button icon="plus" text={t.budgets.add} onClick={add} />
    </fieldset>
  );
}

interface BarProps {
  readonly budget: Budget & { readonly owner?: string };
  readonly isShort?: boolean;
}

export const nameOfBudget = ({ measure, period, owner }: BarProps['budget']): string =>
  t.budgets.name(t.budgets.measures[measure], period, owner === 'account');

function BudgetBar({ budget, isShort = false }: BarProps) {
  const { measure, limit, left, resets_at: resetsAt } = budget;
  return (
    <RestBar
      name={nameOfBudget(budget)}
      measure={measure}
      left={left}
      limit={limit}
      again={isShort ? undefined : resetsAt !== null && t.budgets.resets(toMoment(new Date(resetsAt * 1000)))}
    />
  );
}

interface BarsProps extends Pick<BarProps, 'isShort'> {
  readonly budgets: readonly BarProps['budget'][];
  readonly title?: string;
}

/** A row tells no more budgets. */
const mostTold = 4;

/** Sorts the budget that is spent furthest first. */
export const bySpent = (one: Budget, other: Budget): number =>
  one.left / one.limit - other.left / other.limit;

/** Whether there are budgets of which all is left. */
const isUntouched = (budgets: BarsProps['budgets']): boolean =>
  budgets.length > 0 && budgets.every(({ left, limit }) => left >= limit);

/** A bar for each budget, as full as it is, with their title; `isShort`: for the one that is spent furthest. */
export function BudgetBars({ budgets, isShort = false, title = t.budgets.title }: BarsProps) {
  if (isShort && isUntouched(budgets))
    return <AllLeft of={budgets.map((one) => ({ ...one, name: nameOfBudget(one) }))} most={mostTold} />;
  const shown = isShort ? budgets.toSorted(bySpent).slice(0, 1) : budgets;
  const bars = shown.map((budget) => (
    <BudgetBar key={`${budget.owner} ${budget.measure} ${budget.period}`} budget={budget} isShort={isShort} />
  ));
  return isShort || bars.length === 0 ? (
    bars
  ) : (
    <div class="balances">
      <section>
        <h2>{title}</h2>
        {bars}
      </section>
    </div>
  );
}
