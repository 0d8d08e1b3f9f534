import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, ModelStatusList, PlanList } from '../api/types.ts';
import { adminJson } from '../state/session.ts';
import { useAdmin, type Act } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Check, ChoiceField, optionsOf, TextField } from '../ui/fields.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { BudgetFields, toBudgets, toWishes } from './budget-fields.tsx';
import { makeAccount } from './account-dialog.tsx';
import { PlanField } from './plans.tsx';

/** What is said about a key as it is made or changed. */
function useKeyForm(old: ApiKey | undefined) {
  const [name, setName] = useState(old?.name ?? '');
  const [lifetime, setLifetime] = useState(old === undefined ? '' : sameEnd);
  const [budgets, setBudgets] = useState(toWishes(old?.budgets ?? []));
  const [models, setModels] = useState(old?.models ?? []);
  const [scopes, setScopes] = useState(old?.scopes ?? []);
  const [parallel, setParallel] = useState(old?.parallel == null ? '' : String(old.parallel));
  /** Nothing said is no limit: left out of what makes a key, null in what changes one. */
  const unlessEmpty = (field: string, value: readonly string[] | number) => {
    const isEmpty = typeof value === 'number' ? value === 0 : value.length === 0;
    return isEmpty && old === undefined ? {} : { [field]: isEmpty ? null : value };
  };
  const body = {
    name,
    ...(lifetime !== sameEnd && (lifetime !== '' || old !== undefined) && { expires_in: lifetime || null }),
    ...unlessEmpty('models', models),
    ...unlessEmpty('scopes', scopes),
    ...unlessEmpty('parallel', Number(parallel)),
    budgets: toBudgets(budgets, old?.budgets),
  };
  const lifetimes = optionsOf<string>(t.keys.lifetimes);
  const fields = (
    <>
      <TextField label={t.keys.name} maxlength={100} value={name} onChange={setName} />
      <div class="columns">
        <ChoiceField
          label={t.keys.expires}
          value={lifetime}
          onChange={setLifetime}
          options={old === undefined ? lifetimes : [[sameEnd, t.keys.sameEnd], ...lifetimes]}
        />
        <TextField
          label={t.keys.parallel}
          type="number"
          min={1}
          max={1000}
          placeholder={t.keys.anyNumber}
          value={parallel}
          onChange={setParallel}
        />
      </div>
      <BudgetFields wishes={budgets} onChange={setBudgets} />
      <ModelChecks chosen={models} onChange={setModels} />
      <Checks
        title={t.keys.scopes}
        options={optionsOf<string>(t.keys.scopeNames)}
        chosen={scopes}
        onChange={setScopes}
      />
    </>
  );
  return { body, fields };
}

const sameEnd = 'same';

interface NewProps {
  readonly accounts: readonly Account[];
  readonly plans: PlanList['data'];
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}

export function NewKeyDialog({ accounts, plans, onCreated, onClose }: NewProps) {
  const first = accounts.find(({ name: label }) => label === 'local') ?? accounts[0];
  const [account, setAccount] = useState(first?.id ?? '');
  const [newName, setNewName] = useState('');
  const [plan, setPlan] = useState(plans[0]?.name ?? '');
  const { body, fields } = useKeyForm(undefined);
  const create = async () => {
    const owner = account || (await makeAccount(newName, { plan })).id;
    onCreated(await adminJson<CreatedApiKey>('keys', { method: 'POST', body: { account: owner, ...body } }));
  };
  return (
    <FormDialog title={t.keys.create} action={t.keys.make} work={create} onClose={onClose}>
      <ChoiceField
        label={t.keys.account}
        value={account}
        onChange={setAccount}
        options={[...accounts.map(({ id, name }) => [id, name] as const), ['', t.keys.newAccountChoice]]}
      />
      {account === '' && (
        <div class="columns">
          <TextField name="name" label={t.keys.accountName} required value={newName} onChange={setNewName} />
          <PlanField plan={plan} plans={plans} onChange={setPlan} />
        </div>
      )}
      {fields}
    </FormDialog>
  );
}

interface ChangeProps {
  readonly apiKey: ApiKey;
  readonly act: Act;
  readonly onClose: () => void;
}

export function ChangeKeyDialog({ apiKey, act, onClose }: ChangeProps) {
  const { body, fields } = useKeyForm(apiKey);
  const save = async () => {
    await adminJson(`keys/${apiKey.id}`, { method: 'PATCH', body });
    await act(Promise.resolve());
  };
  return (
    <FormDialog title={t.keys.change} action={t.keys.save} work={save} onClose={onClose}>
      {fields}
    </FormDialog>
  );
}

interface ChecksProps {
  readonly title: string;
  /** Values with their texts. */
  readonly options: readonly (readonly [string, string])[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Some of several; none ticked: all. */
const Checks = ({ title, options, chosen, onChange }: ChecksProps) => (
  <fieldset class="checks">
    <legend>
      {title} ({chosen.length === 0 ? t.keys.noneChosen : chosen.length})
    </legend>
    {options.map(([value, text]) => (
      <Check
        key={value}
        label={text}
        isOn={chosen.includes(value)}
        onChange={(isOn) => onChange(isOn ? [...chosen, value] : chosen.filter((other) => other !== value))}
      />
    ))}
  </fieldset>
);

function ModelChecks(props: Pick<ChecksProps, 'chosen' | 'onChange'>) {
  const models = useAdmin<ModelStatusList>('models');
  const ids = new Set([
    ...(models.value?.data.map(({ id }) => id.replace(/-r$/, '')) ?? []),
    // A key may name models that are not here now.
    ...props.chosen,
  ]);
  return <Checks title={t.keys.models} options={[...ids].map((id) => [id, id])} {...props} />;
}
