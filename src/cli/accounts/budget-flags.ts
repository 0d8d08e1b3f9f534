import type { Command } from 'commander';
import {
  budgetMeasureNames,
  greatestUnits,
  budgetMeasures,
  type Budget,
  type BudgetLimits,
  type BudgetMeasure,
} from '../../accounts/budgets/budget.ts';
import { budgetPeriods } from '../../accounts/budgets/calendar.ts';
import { greatestLimit } from '../../accounts/plans.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { inWords } from '../../words/in-words.ts';
import { formatTime, type Column } from '../output.ts';

/** A measure as flags name it: `audio-seconds`. */
const flagName = (measure: BudgetMeasure) => budgetMeasureNames[measure].replaceAll('_', '-');

const forms =
  'tokens=50000/day, requests=100/week, audio-seconds=3600/month, units=4.50/month, tokens=500000 or tokens=none/day';

/** The command with --budget, which may be given more than once. */
export function addBudgetOption(command: Command): Command {
  return command.option(
    '--budget <what>',
    `what may be used in a period, such as ${forms}`,
    (text: string, all: readonly string[] | undefined) => [...(all ?? []), text],
  );
}

/** The budgets that flags set, null where one is taken away. Throws CliError. */
export function parseBudgetFlags(flags: readonly string[] = []): BudgetLimits<number | null> {
  const limits: Partial<Record<BudgetMeasure, Record<string, number | null>>> = {};
  for (const flag of flags) {
    const [, name = '', amount = '', given = 'ever'] = /^([\w-]+)=([\w.]+)(?:\/(\w+))?$/.exec(flag) ?? [];
    const measure = budgetMeasures.find((one) => flagName(one) === name);
    const period = budgetPeriods.find((one) => one === given);
    const [form, most] =
      measure === 'units' ? [/^\d+(?:\.\d{1,6})?$/, greatestUnits] : [/^\d+$/, greatestLimit];
    const limit = amount === 'none' ? null : form.test(amount) ? Number(amount) : Number.NaN;
    const isLimit = limit === null || (limit > 0 && limit <= most);
    if (measure === undefined || period === undefined || !isLimit)
      throw new CliError(`--budget: "${flag}" is no budget; write it like ${forms}`);
    limits[measure] = { ...limits[measure], [period]: limit };
  }
  return limits;
}

/** An amount with all of its decimals: `12,000`. */
export const toText = (amount: number) => amount.toLocaleString('en', { maximumFractionDigits: 6 });

/** `12,000 of 50,000 tokens left, anew 2026-11-27 00:00Z`. */
export function formatBudget({ measure, period, limit, left, resetsAtMs }: Budget): string {
  const anew = resetsAtMs === null ? '' : ` this ${period}, anew ${formatTime(resetsAtMs)}`;
  return `${toText(left)} of ${toText(limit)} ${inWords(budgetMeasureNames[measure])} left${anew}`;
}

/** The column of budgets in a table whose rows have some. */
export const budgetColumn = <Row extends { readonly budgets: readonly Budget[] }>(): Column<Row> => ({
  title: 'BUDGET',
  value: ({ budgets }) =>
    budgets
      .map(({ measure, period, left, limit }) => {
        const per = period === 'ever' ? '' : `/${period}`;
        return `${flagName(measure)} ${toText(left)} of ${toText(limit)}${per}`;
      })
      .join('; ') || null,
  giveWay: 0.7,
});

/** `columns` with the budgets behind the column `after`, where a row has any. */
export function withBudgets<Row extends { readonly budgets: readonly Budget[] }>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  after: string,
): readonly Column<Row>[] {
  if (rows.every(({ budgets }) => budgets.length === 0)) return columns;
  return columns.flatMap((column) => (column.title === after ? [column, budgetColumn<Row>()] : column));
}
