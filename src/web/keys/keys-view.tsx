import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, ListOf, PlanList, UsageList } from '../api/types.ts';
import { useAdmin, useWork } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Button, Problem, Progress } from '../ui/controls.tsx';
import { Check } from '../ui/fields.tsx';
import { FigureRow, sumOf } from '../ui/figure-row.tsx';
import { RowFilter, useFilter } from '../ui/row-filter.tsx';
import { Table } from '../ui/table.tsx';
import { inOrder } from '../words.ts';
import { AccountDialog } from './account-dialog.tsx';
import { AccountRow, accountFigures } from './account-row.tsx';
import { Invitations } from './invitations.tsx';
import { NewKeyDialog } from './key-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { Plans } from './plans.tsx';

const pollMs = 5000;
const usagePollMs = 30_000;
/** Accounts are folded where more keys than this are found: each key in sight asks for its balances every 5 seconds. */
const mostOpen = 12;

/** Accounts with their keys, what they used within a day, and what their plans allow. */
export function KeysView() {
  const accounts = useAdmin<ListOf<Account>>('accounts', pollMs);
  const keys = useAdmin<ListOf<ApiKey>>('keys', pollMs);
  const plans = useAdmin<PlanList>('plans');
  const usage = useAdmin<UsageList>('usage?by=account&since=1d', usagePollMs);
  const usageOfKeys = useAdmin<UsageList>('usage?by=key&since=1d', usagePollMs);
  const [making, setMaking] = useState<'account' | 'key'>();
  const [created, setCreated] = useState<CreatedApiKey>();
  const reload = () => {
    accounts.reload();
    keys.reload();
    plans.reload();
  };
  const { problem, act } = useWork(reload);
  const accountList = (accounts.value?.data ?? []).toSorted(byName);
  const shared = { plans: plans.value?.data ?? [], act };
  const isReady = keys.value !== undefined && plans.value !== undefined && accounts.value !== undefined;
  const close = () => setMaking(undefined);
  const show = (key: CreatedApiKey) => {
    setCreated(key);
    reload();
  };
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.views.keys}</h1>
        <div class="choices">
          <a class="button" href="#/audit">
            {t.views.audit}
          </a>
          <Button text={t.keys.newAccount} onClick={() => setMaking('account')} />
          <Button class="primary" icon="plus" text={t.keys.create} onClick={() => setMaking('key')} />
        </div>
      </header>
      <Problem text={problem} />
      <Progress of={keys} />
      {isReady && (
        <>
          <Accounts
            accounts={accountList}
            keys={keys.value?.data ?? []}
            usage={usage.value?.data ?? []}
            usageOfKeys={usageOfKeys.value?.data ?? []}
            onRotated={setCreated}
            {...shared}
          />
          <Invitations {...shared} />
          <Plans accounts={accountList} {...shared} />
          {making === 'account' && <AccountDialog account={undefined} onClose={close} {...shared} />}
          {making === 'key' && (
            <NewKeyDialog accounts={accountList} plans={shared.plans} onCreated={show} onClose={close} />
          )}
        </>
      )}
      {created !== undefined && <SecretDialog created={created} onClose={() => setCreated(undefined)} />}
    </div>
  );
}

interface AccountsProps extends Pick<ComponentProps<typeof AccountRow>, 'plans' | 'act' | 'onRotated'> {
  readonly accounts: readonly Account[];
  readonly keys: readonly ApiKey[];
  readonly usage: UsageList['data'];
  readonly usageOfKeys: UsageList['data'];
}

/** The accounts that have what is searched for in their name, or in one of their keys. */
function Accounts({ accounts, keys, usage, usageOfKeys, ...shared }: AccountsProps) {
  const [showsOld, setShowsOld] = useState(false);
  const valid = keys.filter(({ state }) => state === 'active');
  const all = showsOld ? keys : valid;
  const usageById = new Map([...usage, ...usageOfKeys].map((one) => [one.group, one]));
  const { shown, filter } = useFilter(all, (key) => `${key.name} ${key.account_name} ${key.redacted_value}`);
  const wanted = filter.text.trim().toLowerCase();
  const keysOf = Map.groupBy(shown.toSorted(byLastUse), ({ account_id: id }) => id);
  const isOpen = shown.length <= mostOpen;
  const found = accounts.filter(({ id, name }) => keysOf.has(id) || name.toLowerCase().includes(wanted));
  return (
    <>
      <FigureRow
        figures={[
          [t.keys.accounts, String(accounts.length)],
          [t.keys.activeKeys, String(valid.length)],
          [t.usage.requestsToday, sumOf(usage, 'requests')],
          [t.usage.tokensToday, sumOf(usage, 'prompt_tokens', 'completion_tokens')],
          [t.usage.refusedToday, sumOf(usage, 'refused_requests')],
        ]}
      />
      <section class="card">
        <div class="choices">
          <RowFilter filter={filter} count={accounts.length + all.length} />
          <Check label={t.keys.showOld} isOn={showsOld} onChange={setShowsOld} />
        </div>
        <Table
          class="accounts wraps stacks"
          titles={t.keys.accountColumns}
          numbers={accountFigures}
          hasActions
          leastPx={940}
        >
          {found.map((account) => (
            <AccountRow
              key={`${account.id} ${isOpen}`}
              account={account}
              keys={keysOf.get(account.id) ?? []}
              keyCount={valid.filter(({ account_id: id }) => id === account.id).length}
              usage={usageById}
              isOpen={isOpen}
              {...shared}
            />
          ))}
        </Table>
      </section>
    </>
  );
}

const byName = (one: Account, other: Account) => inOrder(one.name, other.name);

/** The one used last first, then the newest. */
const byLastUse = (one: ApiKey, other: ApiKey) =>
  (other.last_used_at ?? 0) - (one.last_used_at ?? 0) || other.created_at - one.created_at;
