import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, ListOf, PlanList, UsageList } from '../api/types.ts';
import { adminJson } from '../state/session.ts';
import { messageOf, usePolled } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Button, Problem, Progress } from '../ui/controls.tsx';
import { Check } from '../ui/fields.tsx';
import { FigureRow } from '../ui/figure-row.tsx';
import { RowFilter, useFilter } from '../ui/row-filter.tsx';
import { Table } from '../ui/table.tsx';
import { toCount } from '../words.ts';
import { AccountDialog } from './account-dialog.tsx';
import { AccountRow, accountFigures } from './account-row.tsx';
import { Invitations } from './invitations.tsx';
import { NewKeyDialog } from './key-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { budgetsOf, limitsOf } from './plan-words.ts';

const pollMs = 5000;
const usagePollMs = 30_000;
/** With more keys the accounts are folded. */
const mostOpen = 12;

function useLists() {
  const accounts = usePolled((signal) => adminJson<ListOf<Account>>('accounts', { signal }), [], pollMs);
  const keys = usePolled((signal) => adminJson<ListOf<ApiKey>>('keys', { signal }), [], pollMs);
  const plans = usePolled((signal) => adminJson<PlanList>('plans', { signal }), []);
  const usage = usePolled(
    (signal) => adminJson<UsageList>('usage?by=account&since=1d', { signal }),
    [],
    usagePollMs,
  );
  return { accounts, keys, plans, usage };
}

/** Accounts with their keys, what they used within a day, and what their plans allow. */
export function KeysView() {
  const { accounts, keys, plans, usage } = useLists();
  const [making, setMaking] = useState<'account' | 'key'>();
  const [created, setCreated] = useState<CreatedApiKey>();
  const [problem, setProblem] = useState<string>();
  const act = async (work: Promise<unknown>) => {
    setProblem(await work.then(() => undefined, messageOf));
    accounts.reload();
    keys.reload();
  };
  const accountList = accounts.value?.data ?? [];
  const shared = { accounts: accountList, plans: plans.value?.data ?? [], act };
  const isReady = keys.value !== undefined && plans.value !== undefined && accounts.value !== undefined;
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.views.keys}</h1>
        <div class="choices">
          <Button text={t.keys.newAccount} onClick={() => setMaking('account')} />
          <Button class="primary" icon="plus" text={t.keys.create} onClick={() => setMaking('key')} />
        </div>
      </header>
      <Problem text={problem} />
      <Progress of={keys} />
      {isReady && (
        <>
          <Accounts
            keys={keys.value?.data ?? []}
            usage={usage.value?.data ?? []}
            onRotated={setCreated}
            {...shared}
          />
          <Invitations plans={shared.plans} act={act} />
          <PlanTable plans={shared.plans} />
          <Making what={making} onCreated={setCreated} onClose={() => setMaking(undefined)} {...shared} />
        </>
      )}
      {created !== undefined && <SecretDialog created={created} onClose={() => setCreated(undefined)} />}
    </div>
  );
}

interface MakingProps extends Pick<ComponentProps<typeof AccountDialog>, 'plans' | 'act' | 'onClose'> {
  readonly what: 'account' | 'key' | undefined;
  readonly accounts: readonly Account[];
  readonly onCreated: (key: CreatedApiKey) => void;
}

/** The dialog in which an account or a key is made. */
function Making({ what, accounts, onCreated, ...shared }: MakingProps) {
  if (what === 'account') return <AccountDialog account={undefined} {...shared} />;
  if (what === undefined) return null;
  return (
    <NewKeyDialog
      accounts={accounts}
      plans={shared.plans}
      onClose={shared.onClose}
      onCreated={(key) => {
        onCreated(key);
        void shared.act(Promise.resolve());
      }}
    />
  );
}

interface AccountsProps extends Pick<ComponentProps<typeof AccountRow>, 'plans' | 'act' | 'onRotated'> {
  readonly accounts: readonly Account[];
  readonly keys: readonly ApiKey[];
  readonly usage: UsageList['data'];
}

/** The accounts that have what is searched for in their name, or in one of their keys. */
function Accounts({ accounts, keys, usage, ...shared }: AccountsProps) {
  const [showsOld, setShowsOld] = useState(false);
  const all = keys.filter(({ state }) => showsOld || state === 'active');
  const { shown, filter } = useFilter(all, (key) => `${key.name} ${key.account_name} ${key.redacted_value}`);
  const wanted = filter.text.trim().toLowerCase();
  const keysOf = Map.groupBy(shown.toSorted(byLastUse), ({ account_id: id }) => id);
  const found = accounts.filter(({ id, name }) => keysOf.has(id) || name.toLowerCase().includes(wanted));
  return (
    <>
      <Totals accounts={accounts.length} keys={all.length} usage={usage} />
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
        >
          {found.map((account) => (
            <AccountRow
              key={`${account.id} ${wanted === ''}`}
              account={account}
              keys={keysOf.get(account.id) ?? []}
              usage={usage.find(({ group }) => group === account.id)}
              isOpen={wanted !== '' || shown.length <= mostOpen}
              {...shared}
            />
          ))}
        </Table>
      </section>
    </>
  );
}

interface TotalsProps {
  readonly accounts: number;
  readonly keys: number;
  readonly usage: UsageList['data'];
}

function Totals({ accounts, keys, usage }: TotalsProps) {
  const sum = (value: (one: UsageList['data'][number]) => number) =>
    toCount(usage.reduce((total, one) => total + value(one), 0));
  return (
    <FigureRow
      figures={[
        [t.keys.accounts, String(accounts)],
        [t.keys.activeKeys, String(keys)],
        [t.usage.requestsToday, sum(({ requests }) => requests)],
        [t.usage.tokensToday, sum((one) => one.prompt_tokens + one.completion_tokens)],
        [t.usage.refusedToday, sum((one) => one.refused_requests)],
      ]}
    />
  );
}

/** The one used last first, then the newest. */
const byLastUse = (one: ApiKey, other: ApiKey) =>
  (other.last_used_at ?? 0) - (one.last_used_at ?? 0) || other.created_at - one.created_at;

/** What each plan allows, for all models and for those with limits of their own. */
const PlanTable = ({ plans }: { plans: PlanList['data'] }) => (
  <section class="card">
    <h2>{t.keys.plans}</h2>
    <Table class="wraps">
      {plans.map((plan) => (
        <tr key={plan.name}>
          <th scope="row">{plan.name}</th>
          <td>
            {limitsOf(plan)}
            {budgetsOf(plan) !== '' && <div>{t.keys.perAccount(budgetsOf(plan))}</div>}
            {Object.entries(plan.models).map(([model, own]) => (
              <div key={model} class="quiet">
                {model}: {limitsOf(own)}
              </div>
            ))}
          </td>
          <td class="quiet">{plan.days === null ? '' : t.keys.forDays(plan.days)}</td>
        </tr>
      ))}
    </Table>
    <p class="quiet">{t.keys.plansHint}</p>
  </section>
);
