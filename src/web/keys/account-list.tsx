import { useState } from 'preact/hooks';
import type { Account, PlanList } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { usePolled } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Field, IconButton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';

interface Props {
  readonly accounts: readonly Account[];
  readonly act: (work: Promise<unknown>) => Promise<void>;
}

/** The accounts with their plans, and a row for a new one. */
export function AccountList({ accounts, act }: Props) {
  const plans = usePolled((signal) => adminJson<PlanList>('plans', { signal }), []);
  const planNames = plans.value?.data.map(({ name }) => name) ?? [];
  const [name, setName] = useState('');
  return (
    <section class="card">
      <h2>{t.keys.accounts}</h2>
      <ul class="rows">
        {accounts.map((account) => (
          <AccountRow key={account.id} account={account} planNames={planNames} act={act} />
        ))}
      </ul>
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
    </section>
  );
}

interface RowProps {
  readonly account: Account;
  readonly planNames: readonly string[];
  readonly act: Props['act'];
}

function AccountRow({ account, planNames, act }: RowProps) {
  const [removing, setRemoving] = useState(false);
  const { id, name, plan, plan_in_force: inForce } = account;
  return (
    <li>
      <strong>{name}</strong>
      {inForce !== plan && <span class="quiet">{t.keys.planEnded(inForce)}</span>}
      <span class="spacer" />
      <select
        aria-label={`${t.keys.plan}: ${name}`}
        value={plan}
        onChange={({ currentTarget }) =>
          void act(asAdmin(`accounts/${id}`, { method: 'PATCH', body: { plan: currentTarget.value } }))
        }
      >
        {planNames.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
      <IconButton icon="close" label={`${t.keys.removeAccount}: ${name}`} onClick={() => setRemoving(true)} />
      {removing && (
        <Confirm
          question={t.keys.removeAccountQuestion(name)}
          action={t.keys.removeAccount}
          onClose={() => setRemoving(false)}
          onConfirm={() => void act(asAdmin(`accounts/${id}`, { method: 'DELETE' }))}
        />
      )}
    </li>
  );
}
