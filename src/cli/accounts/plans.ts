import type { Command } from 'commander';
import {
  measureNames,
  measures,
  windowMs,
  windows,
  type Limits,
  type Plan,
  type PlanSource,
  type Window,
} from '../../accounts/plans.ts';
import { budgetMeasureNames, listLimits, perPeriod } from '../../accounts/budgets/budget.ts';
import { inWords, measureInWords } from '../../words/in-words.ts';
import { toText } from './budget-flags.ts';
import { addStoreOptions, withStore, type StoreContext, type StoreOptions } from '../context.ts';
import { printJson, printTable, type Column } from '../output.ts';

/** A row for one limit of a plan, for one model or for all that have no limits of their own. */
interface PlanRow {
  readonly plan: string;
  readonly model: string;
  readonly measure: string;
  readonly perWindow: Readonly<Partial<Record<Window, number | undefined>>>;
}

const columns: readonly Column<PlanRow>[] = [
  { title: 'PLAN', value: ({ plan }) => plan },
  { title: 'MODEL', value: ({ model }) => model },
  { title: 'OF', value: ({ measure }) => measure },
  ...windows.map((window): Column<PlanRow> => ({
    title: `PER ${window.toUpperCase()}`,
    value: ({ perWindow }) => perWindow[window]?.toLocaleString('en') ?? null,
    align: 'right',
  })),
];

function toRows(name: string, { durationMs, limits, modelLimits }: Plan, source: PlanSource): PlanRow[] {
  const end = durationMs === undefined ? '' : `, ${durationMs / windowMs.day} days`;
  const plan = `${name}${end}${source === 'made' ? ', of the page' : ''}`;
  return [
    ...toLimitRows(modelLimits.size === 0 ? 'all' : 'others', limits),
    ...[...modelLimits].flatMap(([modelId, ownLimits]) => toLimitRows(modelId, ownLimits)),
  ].map((row) => ({ plan, ...row }));
}

function toLimitRows(model: string, limits: Limits): Omit<PlanRow, 'plan'>[] {
  const limited = measures.filter((measure) => Object.keys(limits[measure] ?? {}).length > 0);
  if (limited.length === 0) return [{ model, measure: 'anything', perWindow: {} }];
  return limited.map((measure) => ({
    model,
    measure: inWords(measureNames[measure]),
    perWindow: limits[measure] ?? {},
  }));
}

interface BudgetRow {
  readonly plan: string;
  readonly budgets: string;
}

const toBudgetRow = (plan: string, { accountBudgets = {} }: Plan): BudgetRow => ({
  plan,
  budgets: listLimits(accountBudgets)
    .map(
      ({ measure, period, limit }) =>
        `${toText(limit)} ${measureInWords(limit, budgetMeasureNames[measure])}${perPeriod(period)}`,
    )
    .join(', '),
});

const budgetColumns: readonly Column<BudgetRow>[] = [
  { title: 'PLAN', value: ({ plan }) => plan },
  { title: 'AN ACCOUNT OVER ALL ITS KEYS', value: ({ budgets }) => budgets, giveWay: 'wrap' },
];

function listPlans({ plans: book }: StoreContext, json = false): void {
  const plans = [...book.plans];
  if (json)
    printJson(
      plans.map(([name, { durationMs, limits, accountBudgets, batchFactor, modelLimits }]) => ({
        name,
        source: book.sourceOf(name),
        days: durationMs === undefined ? null : durationMs / windowMs.day,
        limits,
        account: accountBudgets ?? {},
        batchFactor: batchFactor ?? 1,
        models: Object.fromEntries(modelLimits),
      })),
    );
  else {
    printTable(
      plans.flatMap(([name, plan]) => toRows(name, plan, book.sourceOf(name))),
      columns,
    );
    const budgets = plans.map(([name, plan]) => toBudgetRow(name, plan)).filter((row) => row.budgets !== '');
    if (budgets.length === 0) return;
    process.stdout.write('\n');
    printTable(budgets, budgetColumns);
  }
}

export function registerPlansCommand(program: Command): void {
  addStoreOptions(program.command('plans'))
    .description('list the plans and what each allows a key per model, and an account; "-" is no limit')
    .action((options: StoreOptions) => withStore(options, (context) => listPlans(context, options.json)));
}
