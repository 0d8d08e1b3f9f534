import { useState } from 'preact/hooks';
import type { Account, CreatedApiKey, ModelStatusList, PlanList } from '../api/types.ts';
import { adminJson } from '../state/session.ts';
import { messageOf, usePolled } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Check, Choice, Field, Problem } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { limitsOf } from './plan-words.ts';

interface Props {
  readonly accounts: readonly Account[];
  readonly plans: PlanList['data'];
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}

const lifetimes = ['', '1d', '30d', '90d', '365d'].map((text) => [text, text || t.keys.never] as const);

export function NewKeyDialog({ accounts, plans, onCreated, onClose }: Props) {
  const first = accounts.find(({ name: label }) => label === 'local') ?? accounts[0];
  const [account, setAccount] = useState(first?.id ?? '');
  const [newName, setNewName] = useState('');
  const [plan, setPlan] = useState('');
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState('');
  const [budget, setBudget] = useState('');
  const [allowed, setAllowed] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const create = async () => {
    try {
      const body = { account: account || (await makeAccount(newName.trim(), plan)), ...wish() };
      onCreated(await adminJson<CreatedApiKey>('keys', { method: 'POST', body }));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const wish = () => ({
    name,
    ...(lifetime !== '' && { expires_in: lifetime }),
    ...(budget !== '' && { limit: Number(budget) }),
    ...(allowed.length > 0 && { models: allowed }),
  });
  return (
    <Dialog title={t.keys.create} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Problem text={problem} />
        <Field label={t.keys.account}>
          <Choice
            value={account}
            onChange={setAccount}
            options={[
              ...accounts.map(({ id, name: label }) => [id, label] as const),
              ['', t.keys.newAccountChoice] as const,
            ]}
          />
        </Field>
        {account === '' && (
          <NewAccount name={newName} onName={setNewName} plan={plan} plans={plans} onPlan={setPlan} />
        )}
        <NameField value={name} onChange={setName} />
        <Field label={t.keys.expires}>
          <Choice value={lifetime} onChange={setLifetime} options={lifetimes} />
        </Field>
        <BudgetField value={budget} onChange={setBudget} />
        <ModelChoice allowed={allowed} onChange={setAllowed} />
        <button type="submit" class="primary">
          {t.keys.make}
        </button>
      </form>
    </Dialog>
  );
}

const NameField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <Field label={t.keys.name}>
    <input value={value} maxlength={100} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
  </Field>
);

const BudgetField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <Field label={t.keys.budget} hint={t.keys.budgetHint}>
    <input
      type="number"
      min={1}
      step={1}
      placeholder={t.keys.noBudget}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </Field>
);

/** The id of a new account. */
async function makeAccount(name: string, plan: string): Promise<string> {
  const body = { name, ...(plan !== '' && { plan }) };
  return (await adminJson<Account>('accounts', { method: 'POST', body })).id;
}

interface NewAccountProps {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly plan: string;
  readonly plans: PlanList['data'];
  readonly onPlan: (plan: string) => void;
}

function NewAccount({ name, onName, plan, plans, onPlan }: NewAccountProps) {
  const chosen = plan || (plans[0]?.name ?? '');
  const current = plans.find((one) => one.name === chosen);
  return (
    <div class="columns">
      <Field label={t.keys.accountName}>
        <input required value={name} onInput={({ currentTarget }) => onName(currentTarget.value)} />
      </Field>
      <Field label={t.keys.plan} hint={current === undefined ? undefined : limitsOf(current)}>
        <Choice value={chosen} onChange={onPlan} options={plans.map((one) => [one.name, one.name])} />
      </Field>
    </div>
  );
}

/** The models that a key may use; none ticked: all. */
function ModelChoice({
  allowed,
  onChange,
}: {
  allowed: readonly string[];
  onChange: (allowed: readonly string[]) => void;
}) {
  const models = usePolled((signal) => adminJson<ModelStatusList>('models', { signal }), []);
  const ids = [...new Set(models.value?.data.map(({ id }) => id.replace(/-r$/, '')))];
  return (
    <fieldset>
      <legend>
        {t.keys.models} ({allowed.length === 0 ? t.keys.noneChosen : allowed.length})
      </legend>
      {ids.map((id) => (
        <Check
          key={id}
          label={id}
          isOn={allowed.includes(id)}
          onChange={(isOn) => onChange(isOn ? [...allowed, id] : allowed.filter((other) => other !== id))}
        />
      ))}
    </fieldset>
  );
}
