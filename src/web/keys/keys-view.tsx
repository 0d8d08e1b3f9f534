import type { ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, ListOf, PlanList, UsageList } from '../api/types.ts';
import { useAdmin, useWork, type Act } from '../state/polled.ts';
import { mayMake } from '../state/rights.ts';
import { t } from '../operator-texts.ts';
import { Button, Problem, Progress } from '../ui/controls.tsx';
import { Check } from '../ui/fields.tsx';
import { openDialog } from '../ui/dialog.tsx';
import { FigureRow, sumOf } from '../ui/figure-row.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { hasWord, RowFilter, useFilter } from '../ui/row-filter.tsx';
import { showMade } from '../ui/show-made.ts';
import { Table, useSort } from '../ui/table.tsx';
import { inOrder } from '../words.ts';
import { AccountDialog } from './account-dialog.tsx';
import { AccountRow } from './account-row.tsx';
import { usageFigures, usageOf } from './key-row.tsx';
import { Invitations } from './invitations.tsx';
import { NewKeyDialog } from './key-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { Plans } from './plans.tsx';

const pollMs = 5000;
const usagePollMs = 30_000;
/** Accounts are folded where more keys than this are found: each key in sight asks for its balances every 5 seconds. */
const mostOpen = 12;
/** Of keys that are found by their own words, these are seen all the same. */
const mostFound = 40;

/** The parts of the view from top to bottom: the id of each, which is its address too, and its title. */
const parts = [
  ['accounts', t.keys.accounts],
  ['invitations', t.invitations.title],
  ['plans', t.keys.plans],
] as const;

const Actions = ({ onMake }: { onMake: (what: 'account' | 'key') => void }) => (
  <div class="choices">
    <a class="button" href="#/audit">
      {t.views.audit}
    </a>
    {mayMake.value && (
      <>
        <Button text={t.keys.newAccount} onClick={() => onMake('account')} />
        <Button class="primary" icon="plus" text={t.keys.create} onClick={() => onMake('key')} />
      </>
    )}
  </div>
);

const Parts = () => (
  <nav class="parts" aria-label={t.keys.parts}>
    {parts.map(([id, title]) => (
      <a key={id} href={`#/${id}`} onClick={() => document.getElementById(id)?.scrollIntoView()}>
        {title}
      </a>
    ))}
  </nav>
);

/** Accounts with their keys, what they used within a day, and what their plans allow. */
export function KeysView() {
  const accounts = useAdmin<ListOf<Account>>('accounts', pollMs);
  const keys = useAdmin<ListOf<ApiKey>>('keys', pollMs);
  const plans = useAdmin<PlanList>('plans');
  const usage = useAdmin<UsageList>('usage?by=account&since=1d', usagePollMs);
  const usageOfKeys = useAdmin<UsageList>('usage?by=key&since=1d', usagePollMs);
  const lookedAt = useRef<string | undefined>(undefined);
  const [making, setMaking] = useState<'account' | 'key'>();
  const [madeIn, setMadeIn] = useState('');
  const reload = () => [accounts, keys, plans].forEach((list) => list.reload());
  const { problem, act } = useWork(reload);
  const accountList = (accounts.value?.data ?? []).toSorted(byName);
  const shared = { plans: plans.value?.data ?? [], act, lookedAt };
  const isReady = keys.value !== undefined && plans.value !== undefined && accounts.value !== undefined;
  const show = (key: CreatedApiKey) => {
    setMadeIn(key.account_id);
    showMade(key.id);
    openDialog((onClose) => <SecretDialog created={key} onClose={onClose} />);
    reload();
  };
  return (
    <div class="page">
      <PageHeader title={t.views.keys}>
        <Actions onMake={setMaking} />
      </PageHeader>
      <Parts />
      <Problem text={problem} />
      <Progress of={keys} />
      {isReady && (
        <>
          <Accounts
            accounts={accountList}
            keys={keys.value?.data ?? []}
            usage={usage.value?.data ?? []}
            usageOfKeys={usageOfKeys.value?.data ?? []}
            madeIn={madeIn}
            onMakeKey={() => setMaking('key')}
            onRotated={show}
            {...shared}
          />
          <Invitations {...shared} />
          <Plans accounts={accountList} {...shared} />
          {making !== undefined && (
            <Making
              what={making}
              accounts={accountList}
              onCreated={show}
              onClose={() => setMaking(undefined)}
              {...shared}
            />
          )}
        </>
      )}
    </div>
  );
}

type MakingProps = ComponentProps<typeof NewKeyDialog> & {
  readonly what: 'account' | 'key';
  readonly act: Act;
};

const Making = ({ what, act, ...shared }: MakingProps) =>
  what === 'key' ? <NewKeyDialog {...shared} /> : <AccountDialog account={undefined} act={act} {...shared} />;

interface AccountsProps extends Pick<
  ComponentProps<typeof AccountRow>,
  'plans' | 'act' | 'onMakeKey' | 'onRotated'
> {
  readonly accounts: readonly Account[];
  readonly keys: readonly ApiKey[];
  readonly usage: UsageList['data'];
  readonly usageOfKeys: UsageList['data'];
  /** The id of the only account that is found, or of the one that was unfolded last. */
  readonly lookedAt: { current: string | undefined };
  /** The id of the account in which a key was made last, which is unfolded. */
  readonly madeIn: string;
}

const ofAccounts = {
  class: 'accounts wraps stacks',
  titles: t.keys.accountColumns,
  numbers: usageFigures,
} as const;

/** The accounts that have what is searched for in their name, or in one of their keys. */
function Accounts(props: AccountsProps) {
  const { accounts, keys, usage, usageOfKeys, lookedAt, madeIn, ...shared } = props;
  const [showsOld, setShowsOld] = useState(false);
  const valid = keys.filter(({ state }) => state === 'active');
  const all = showsOld ? keys : valid;
  const usageById = new Map([...usage, ...usageOfKeys].map((one) => [one.group, one]));
  const { shown, words, filter } = useFilter(all, (key) => `${key.account_name} ${ownWords(key)}`);
  const keysOf = Map.groupBy(shown.toSorted(byLastUse), ({ account_id: id }) => id);
  const validOf = Map.groupBy(valid, ({ account_id: id }) => id);
  const sort = useSort<keyof typeof t.keys.accountColumns>('account', usageFigures, t.keys.accountColumns);
  const hits = shown.filter((key) => words.some((word) => hasWord(ownWords(key), word)));
  const unfolded = shown.length <= mostOpen ? shown : hits.length <= mostFound ? hits : [];
  const found = accounts
    .filter(({ id, name }) => keysOf.has(id) || words.every((word) => hasWord(name, word)))
    .map((account) => ({
      account,
      keyCount: validOf.get(account.id)?.length ?? 0,
      figures: usageOf(usageById.get(account.id)),
      keys: keysOf.get(account.id) ?? [],
      isOpen: account.id === madeIn || unfolded.some((key) => key.account_id === account.id),
    }))
    .toSorted(
      (one, other) => (sort.isDown ? -1 : 1) * inOrder(sortedBy(one, sort.by), sortedBy(other, sort.by)),
    );
  const only = found.length === 1 ? found[0]?.account.id : undefined;
  useEffect(() => void (lookedAt.current = only), [only]);
  return (
    <>
      <FigureRow figures={figuresOf(accounts.length, valid.length, usage)} />
      <section class="card" id="accounts">
        <div class="choices">
          <RowFilter filter={filter} count={accounts.length + all.length} label={t.keys.filter} />
          <Check label={t.keys.showOld} isOn={showsOld} onChange={setShowsOld} />
        </div>
        {found.length === 0 ? (
          <p class="quiet">{t.noMatch}</p>
        ) : (
          <Table {...ofAccounts} sort={sort} hasActions hasLongCells>
            {found.map((row) => (
              <AccountRow
                key={`${row.account.id} ${row.isOpen}`}
                {...row}
                usage={usageById}
                words={words}
                onOpen={(isOpen) => (lookedAt.current = isOpen ? row.account.id : only)}
                {...shared}
              />
            ))}
          </Table>
        )}
      </section>
    </>
  );
}

const figuresOf = (accounts: number, keys: number, usage: UsageList['data']) =>
  [
    [t.keys.accounts, String(accounts)],
    [t.keys.activeKeys, String(keys)],
    [t.keys.accountColumns.requests, sumOf(usage, 'requests')],
    [t.keys.accountColumns.tokens, sumOf(usage, 'prompt_tokens', 'completion_tokens')],
    [t.keys.accountColumns.unanswered, sumOf(usage, 'refused_requests', 'failed_requests')],
  ] as const;

/** By what a key is found that is not told of its account. */
const ownWords = ({ name, redacted_value: start }: ApiKey) => `${name} ${start}`;

type Found = Pick<ComponentProps<typeof AccountRow>, 'account' | 'figures'>;

/** What `column` sorts an account by: budgets by the one of which least is left, none at all the last. */
function sortedBy({ account, figures }: Found, column: keyof typeof t.keys.accountColumns): string {
  if (column === 'account') return account.name;
  if (column === 'plan') return account.plan;
  if (column !== 'budget') return String(figures[column]);
  const shares = account.budgets.map(({ left, limit }) => left / limit);
  return String(Math.round(Math.min(2, ...shares) * 1e6));
}

const byName = (one: Account, other: Account) => inOrder(one.name, other.name);

/** The one used last first, then the newest. */
const byLastUse = (one: ApiKey, other: ApiKey) =>
  (other.last_used_at ?? 0) - (one.last_used_at ?? 0) || other.created_at - one.created_at;
