import type { ComponentProps } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Account, ApiKey, UsageList } from '../../api/types.ts';
import { routeParts } from '../../state/route.ts';
import { t } from '../../words/operator-texts.ts';
import { Check } from '../../ui/forms/fields.tsx';
import { FigureRow, sumOf } from '../../ui/tables/figure-row.tsx';
import { NoMatch } from '../../ui/tables/no-match.tsx';
import { hasWord, hasWords, RowFilter, useFilter, wordsIn } from '../../ui/tables/row-filter.tsx';
import { orderedBy, Table, useSort } from '../../ui/tables/table.tsx';
import { AccountRow } from './account-row.tsx';
import type { Folds } from './folds.ts';
import { usageFigures, usageOf } from './usage-cells.tsx';
import './accounts.css';

/** Found accounts stay folded where more keys than this are found: each key in sight asks for its balances every 5 seconds. */
const mostOpen = 12;
/** Of keys that are found by their own words, these are seen all the same. */
const mostFound = 40;

interface Props extends Pick<ComponentProps<typeof AccountRow>, 'plans' | 'act' | 'onMakeKey' | 'onRotated'> {
  readonly accounts: readonly Account[];
  readonly keys: readonly ApiKey[];
  readonly usage: UsageList['data'];
  readonly usageOfKeys: UsageList['data'];
  /** The id of the only account that is found, or of the one that was unfolded last. */
  readonly lookedAt: { current: string | undefined };
  readonly folds: Folds;
}

const ofAccounts = {
  titles: t.keys.accountColumns,
  inFull: { ...t.keys.figures, unanswered: t.keys.unansweredInFull },
  numbers: usageFigures,
} as const;

/** On a phone figures are told where they sort. */
const classBy = (column: string) =>
  `accounts wraps stacks${(usageFigures as readonly string[]).includes(column) ? ' by-figure' : ''}`;

/** The accounts that have the sought words in their name, or in one of their keys. */
export function Accounts(props: Props) {
  const { accounts, keys, usage, usageOfKeys, lookedAt, folds, ...shared } = props;
  const [showsOld, setShowsOld] = useState(() => leadsToOld(routeParts.value[1] ?? '', accounts, keys));
  const valid = keys.filter(({ state }) => state === 'active');
  const all = showsOld ? keys : valid;
  const usageById = new Map([...usage, ...usageOfKeys].map((one) => [one.group, one]));
  const { shown, words, filter } = useFilter(all, wordsOf);
  const keysOf = Map.groupBy(shown, ({ account_id: id }) => id);
  const validOf = Map.groupBy(valid, ({ account_id: id }) => id);
  const sort = useSort<keyof typeof t.keys.accountColumns>('account', usageFigures, t.keys.accountColumns);
  const isSought = words.length > 0 || accounts.length === 1;
  const unfolded = new Set(isSought ? inSight(shown, words).map(({ account_id: id }) => id) : []);
  const found = accounts
    .filter(({ id, name }) => keysOf.has(id) || hasWords(name, words))
    .toSorted(orderedBy(sort, (account) => sortedBy(account, usageById, sort.by)));
  const only = found.length === 1 ? found[0]?.id : undefined;
  useEffect(() => void (lookedAt.current = only), [only]);
  return (
    <>
      <FigureRow figures={figuresOf(valid.length, usage)} />
      <section class="card" id="accounts" aria-label={t.keys.accounts}>
        <div class="choices">
          <RowFilter filter={filter} count={accounts.length + all.length} label={t.keys.filter} />
          {valid.length < keys.length && (
            <Check label={t.keys.showOld} isOn={showsOld} onChange={setShowsOld} />
          )}
        </div>
        {found.length === 0 ? (
          <NoMatch onClear={() => filter.set('')} />
        ) : (
          <Table {...ofAccounts} class={classBy(sort.by)} sort={sort} hasActions>
            {found.map((account) => (
              <AccountRow
                key={account.id}
                account={account}
                valid={validOf.get(account.id) ?? []}
                keys={keysOf.get(account.id) ?? []}
                isOpen={folds.isOpen(account.id, unfolded.has(account.id))}
                usage={usageById}
                words={words}
                onOpen={(isOpen) => {
                  lookedAt.current = isOpen ? account.id : only;
                  folds.put(account.id, unfolded.has(account.id), isOpen);
                }}
                {...shared}
              />
            ))}
          </Table>
        )}
      </section>
    </>
  );
}

/** Of the keys that are found those that are seen without unfolding their accounts. */
function inSight(shown: readonly ApiKey[], words: readonly string[]): readonly ApiKey[] {
  if (shown.length <= mostOpen) return shown;
  const hits = shown.filter((key) => words.some((word) => hasWord(ownWords(key), word)));
  return hits.length <= mostFound ? hits : [];
}

const figuresOf = (keys: number, usage: UsageList['data']) =>
  [
    [t.keys.activeKeys, String(keys)],
    [t.keys.figures.requests, sumOf(usage, 'requests')],
    [t.keys.figures.tokens, sumOf(usage, 'prompt_tokens', 'completion_tokens')],
    [t.keys.figures.unanswered, sumOf(usage, 'refused_requests', 'failed_requests')],
  ] as const;

/** Whether `sought` is in no account and no key but such as are revoked or expired. */
function leadsToOld(sought: string, accounts: readonly Account[], keys: readonly ApiKey[]): boolean {
  const words = wordsIn(sought);
  const found = keys.filter((key) => hasWords(wordsOf(key), words));
  return (
    found.length > 0 &&
    found.every(({ state }) => state !== 'active') &&
    !accounts.some(({ name }) => hasWords(name, words))
  );
}

const wordsOf = (key: ApiKey) => `${key.account_name} ${ownWords(key)}`;

/** The words by which a key is found beside those of its account. */
const ownWords = ({ name, redacted_value: start }: ApiKey) => `${name} ${start}`;

/** The value by which `column` sorts an account: budgets by the one of which least is left, none at all the last. */
function sortedBy(
  { id, name, plan, budgets }: Account,
  usage: ReadonlyMap<string, UsageList['data'][number]>,
  column: keyof typeof t.keys.accountColumns,
): string {
  if (column === 'account') return name;
  if (column === 'plan') return plan;
  if (column !== 'budget') return String(usageOf(usage.get(id))[column]);
  const shares = budgets.map(({ left, limit }) => left / limit);
  return String(Math.round(Math.min(2, ...shares) * 1e6));
}
