import type { ApiKey } from '../../accounts/keys.ts';
import type { Budget } from '../../accounts/budgets/budget.ts';
import { measureNames } from '../../accounts/plans.ts';
import { allowancesOf, type ModelAllowance } from '../../limits/reports/allowances.ts';
import { ownerOf } from '../../limits/reports/refusal.ts';
import { formatBudget } from './budget-flags.ts';
import { formatGoDuration } from '../../limits/reports/headers.ts';
import type { StoreContext } from '../context.ts';
import { inWords } from '../../words/in-words.ts';
import { formatTime, printFields, printJson, printTable, type Column } from '../output.ts';

const columns: readonly Column<ModelAllowance>[] = [
  { title: 'MODEL', value: ({ modelId }) => modelId ?? 'any other' },
  { title: 'OF', value: ({ measure }) => inWords(measureNames[measure]) },
  { title: 'LEFT', value: ({ left }) => left.toLocaleString('en'), align: 'right' },
  {
    title: 'LIMIT',
    value: ({ limit, window }) => `${limit.toLocaleString('en')} per ${window}`,
    align: 'right',
  },
  {
    title: 'FULL IN',
    value: ({ fullInMs }) => (fullInMs === 0 ? null : formatGoDuration(fullInMs)),
    align: 'right',
    giveWay: 1,
  },
];

/** Prints everything that is known of a key, and the rest of each of its allowances. Throws AppError. */
export function showKey(
  { accounts, keys, plans, store, nowMs }: StoreContext,
  id: string,
  json: boolean,
): void {
  const key = keys.get(id);
  const { planName, allowances } = allowancesOf(store, plans, id, nowMs);
  if (json) {
    printJson({ ...key, plan: planName, allowances });
    return;
  }
  const account = accounts.list().find((one) => one.id === key.accountId);
  const budgets = [...key.budgets, ...(account?.budgets ?? [])];
  printFields(toFields(key, planName, budgets));
  process.stdout.write('\n');
  printTable(allowances, columns, `the plan ${planName} has no limits`);
}

function toFields(key: ApiKey, plan: string, budgets: readonly Budget[]): [string, string | null][] {
  return [
    ['id', key.id],
    ['account', `${key.accountName} (${key.accountId})`],
    ['plan', plan],
    ['name', key.name || null],
    ['key', key.redacted],
    ['kind', key.kind],
    ['state', key.state],
    ['models', key.allowedModels?.join(', ') ?? 'all'],
    ...(key.scopes === null ? [] : [['scopes', key.scopes.join(', ')] as [string, string]]),
    ...(key.parallel === null ? [] : [['at once', `${key.parallel} requests`] as [string, string]]),
    ...budgets.map((budget): [string, string] => [`budget (${ownerOf(budget)})`, formatBudget(budget)]),
    ['created', formatTime(key.createdAtMs)],
    ['last used', formatTime(key.lastUsedAtMs)],
    ['expires', formatTime(key.expiresAtMs)],
    ['revoked', formatTime(key.revokedAtMs)],
  ];
}
