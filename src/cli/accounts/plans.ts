import type { Command } from 'commander';
import {
  measureNames,
  measures,
  windowMs,
  windows,
  type Limits,
  type Plan,
  type Window,
} from '../../accounts/plans.ts';
import { addStoreOptions, configFrom, type StoreOptions } from '../context.ts';
import { orFail, printJson, printTable, type Column } from '../output.ts';

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

function toRows(name: string, { durationMs, limits, modelLimits }: Plan): PlanRow[] {
  const plan = durationMs === undefined ? name : `${name}, ${durationMs / windowMs.day} days`;
  return [
    ...toLimitRows(plan, modelLimits.size === 0 ? 'all' : 'others', limits),
    ...[...modelLimits].flatMap(([modelId, ownLimits]) => toLimitRows(plan, modelId, ownLimits)),
  ];
}

function toLimitRows(plan: string, model: string, limits: Limits): PlanRow[] {
  const limited = measures.filter((measure) => Object.keys(limits[measure] ?? {}).length > 0);
  if (limited.length === 0) return [{ plan, model, measure: 'anything', perWindow: {} }];
  return limited.map((measure) => ({
    plan,
    model,
    measure: measureNames[measure],
    perWindow: limits[measure] ?? {},
  }));
}

function listPlans(options: StoreOptions): void {
  const plans = [...configFrom(options).plans];
  if (options.json)
    printJson(
      plans.map(([name, { durationMs, limits, modelLimits }]) => ({
        name,
        days: durationMs === undefined ? null : durationMs / windowMs.day,
        limits,
        models: Object.fromEntries(modelLimits),
      })),
    );
  else
    printTable(
      plans.flatMap(([name, plan]) => toRows(name, plan)),
      columns,
    );
}

export function registerPlansCommand(program: Command): void {
  addStoreOptions(program.command('plans'))
    .description('list the plans and what each allows a key per model; "-" is no limit')
    .action((options: StoreOptions) => orFail(() => listPlans(options)));
}
