import type { ComponentProps } from 'preact';
import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, ListOf, PlanList, UsageList } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { messageOf, usePolled } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Check, Field, Problem, Progress } from '../ui/controls.tsx';
import { FigureRow } from '../ui/figure-row.tsx';
import { Icon } from '../ui/icon.tsx';
import { RowFilter, useFilter } from '../ui/row-filter.tsx';
import { toCount } from '../words.ts';
import { AccountSection } from './account-section.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { limitsOf } from './plan-words.ts';

const pollMs = 5000;
const usagePollMs = 30_000;
/** With more keys the accounts are folded. */
const mostOpen = 25;

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
  const [showsOld, setShowsOld] = useState(false);
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey>();
  const [problem, setProblem] = useState<string>();
  const reload = () => {
    accounts.reload();
    keys.reload();
  };
  const act = async (work: Promise<unknown>) => {
    setProblem(await work.then(() => undefined, messageOf));
    reload();
  };
  const all = (keys.value?.data ?? []).filter(({ state }) => showsOld || state === 'active');
  const { shown, filter } = useFilter(all, (key) => `${key.name} ${key.account_name} ${key.redacted_value}`);
  const accountList = accounts.value?.data ?? [];
  return (
    <div class="page">
      <Header onCreate={() => setCreating(true)} />
      <Problem text={problem} />
      <Progress of={keys} />
      {keys.value !== undefined && (
        <Totals accounts={accountList.length} keys={all.length} usage={usage.value?.data ?? []} />
      )}
      <div class="choices">
        <RowFilter filter={filter} count={all.length} />
        <Check label={t.keys.showOld} isOn={showsOld} onChange={setShowsOld} />
      </div>
      {keys.value !== undefined && (
        <AccountSections
          accounts={accountList}
          keys={shown}
          wanted={filter.text.trim().toLowerCase()}
          plans={plans.value?.data ?? []}
          usage={usage.value?.data ?? []}
          act={act}
          onRotated={setCreated}
        />
      )}
      <NewAccount act={act} />
      {plans.value !== undefined && <PlanTable plans={plans.value.data} />}
      {creating && (
        <NewKeyDialog
          accounts={accountList}
          plans={plans.value?.data ?? []}
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            reload();
          }}
        />
      )}
      {created !== undefined && <SecretDialog created={created} onClose={() => setCreated(undefined)} />}
    </div>
  );
}

const Header = ({ onCreate }: { onCreate: () => void }) => (
  <header class="page-header">
    <h1>{t.views.keys}</h1>
    <button type="button" class="primary" onClick={onCreate}>
      <Icon name="plus" /> {t.keys.create}
    </button>
  </header>
);

interface SectionsProps extends Pick<ComponentProps<typeof AccountSection>, 'plans' | 'act' | 'onRotated'> {
  readonly accounts: readonly Account[];
  readonly keys: readonly ApiKey[];
  /** What is searched for, in small letters. */
  readonly wanted: string;
  readonly usage: UsageList['data'];
}

/** The accounts that have a shown key, or what is searched for in their name. */
function AccountSections({ accounts, keys, wanted, usage, ...shared }: SectionsProps) {
  const keysOf = ({ id }: Account) => keys.filter((key) => key.account_id === id).toSorted(byLastUse);
  const shown = accounts.filter(
    (account) => keysOf(account).length > 0 || account.name.toLowerCase().includes(wanted),
  );
  return (
    <>
      {shown.map((account) => (
        <AccountSection
          key={`${account.id} ${wanted === ''}`}
          account={account}
          keys={keysOf(account)}
          usage={usage.find(({ group }) => group === account.id)}
          isOpen={wanted !== '' || keys.length <= mostOpen}
          {...shared}
        />
      ))}
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

function NewAccount({ act }: { act: (work: Promise<unknown>) => Promise<void> }) {
  const [name, setName] = useState('');
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault();
        void act(asAdmin('accounts', { method: 'POST', body: { name: name.trim() } })).then(() =>
          setName(''),
        );
      }}
    >
      <Field label={t.keys.accountName}>
        <input required value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </Field>
      <button type="submit">{t.keys.newAccount}</button>
    </form>
  );
}

/** The one used last first, then the newest. */
const byLastUse = (one: ApiKey, other: ApiKey) =>
  (other.last_used_at ?? 0) - (one.last_used_at ?? 0) || other.created_at - one.created_at;

/** What each plan allows, for all models and for those with limits of their own. */
function PlanTable({ plans }: { plans: PlanList['data'] }) {
  return (
    <section class="card">
      <h2>{t.keys.plans}</h2>
      <div class="scroll" tabindex={0}>
        <table class="wraps">
          <tbody>
            {plans.map((plan) => (
              <tr key={plan.name}>
                <th scope="row">{plan.name}</th>
                <td>
                  {limitsOf(plan)}
                  {Object.entries(plan.models).map(([model, own]) => (
                    <div key={model} class="quiet">
                      {model}: {limitsOf(own)}
                    </div>
                  ))}
                </td>
                <td class="quiet">{plan.days === null ? '' : t.keys.forDays(plan.days)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="quiet">{t.keys.plansHint}</p>
    </section>
  );
}
