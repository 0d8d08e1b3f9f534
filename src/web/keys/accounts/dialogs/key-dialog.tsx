import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, PlanList } from '../../../api/types.ts';
import { adminJson } from '../../../state/session.ts';
import type { Act } from '../../../state/polled.ts';
import { t } from '../../../words/operator-texts.ts';
import { ChoiceField, optionsOf, TextField } from '../../../ui/forms/fields.tsx';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { nameOfKey } from '../../../words/formats.ts';
import { AllOrSome, ModelChoice, type Chosen } from './all-or-some.tsx';
import { BudgetFields, toBudgets, toWishes } from '../../../limits/budget-fields.tsx';
import { AccountNameField, makeAccount } from './account-dialog.tsx';
import { PlanField } from '../../plans/plans.tsx';
import { NameField } from '../../name-field.tsx';
import { told } from '../../rows/told.tsx';

/** The fields of a key as it is made or changed. */
function useKeyForm(old: ApiKey | undefined) {
  const [name, setName] = useState(old?.name ?? '');
  const [lifetime, setLifetime] = useState(old === undefined ? '' : sameEnd);
  const [budgets, setBudgets] = useState(toWishes(old?.budgets ?? []));
  const [models, setModels] = useState<Chosen>(old?.models ?? null);
  const [scopes, setScopes] = useState<Chosen>(old?.scopes ?? null);
  const [parallel, setParallel] = useState(old?.parallel == null ? '' : String(old.parallel));
  /** An empty field is no limit: left out where a key is made, null where one is changed. */
  const unlessNone = (field: string, value: Chosen | number) =>
    value === null && old === undefined ? {} : { [field]: value };
  const body = {
    name,
    ...(lifetime !== sameEnd && (lifetime !== '' || old !== undefined) && { expires_in: lifetime || null }),
    ...unlessNone('models', models),
    ...unlessNone('scopes', scopes),
    ...unlessNone('parallel', Number(parallel) || null),
    budgets: toBudgets(budgets, old?.budgets),
  };
  const lifetimes = optionsOf<string>(t.keys.lifetimes);
  const fields = (
    <>
      <NameField label={t.keys.name} value={name} onChange={setName} required={old?.name !== ''} />
      <div class="columns">
        <ChoiceField
          label={t.keys.expires}
          value={lifetime}
          onChange={setLifetime}
          options={old === undefined ? lifetimes : [[sameEnd, t.keys.sameEnd], ...lifetimes]}
        />
        <TextField
          name="parallel"
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
      <ModelChoice chosen={models} onChange={setModels} />
      <AllOrSome
        title={t.keys.scopes}
        all={t.keys.allWork}
        missing={t.keys.chooseWork}
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
  /** The plan of a new account, unless another is chosen. */
  readonly usual: string;
  /** The id of the account that is looked at, if one is. */
  readonly lookedAt: { readonly current: string | undefined };
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}

/** In place of the id of an account. */
const newAccount = 'new';

export function NewKeyDialog({ accounts, plans, usual, lookedAt, onCreated, onClose }: NewProps) {
  const only = accounts.length === 1 ? accounts[0]?.id : undefined;
  const [account, setAccount] = useState(lookedAt.current ?? only ?? '');
  const [newName, setNewName] = useState('');
  const [plan, setPlan] = useState(usual);
  const { body, fields } = useKeyForm(undefined);
  const create = async () => {
    const owner = account === newAccount ? (await makeAccount({ name: newName.trim(), plan })).id : account;
    onCreated(await adminJson<CreatedApiKey>('keys', { method: 'POST', body: { account: owner, ...body } }));
  };
  return (
    <FormDialog title={t.keys.makes.key} action={t.keys.make} work={create} onClose={onClose}>
      <ChoiceField
        label={t.keys.account}
        value={account}
        onChange={setAccount}
        required
        missing={t.keys.missesAccount}
        options={[
          ...(account === '' ? [['', t.keys.chooseAccount] as const] : []),
          ...accounts.map(({ id, name }) => [id, name] as const),
          [newAccount, t.keys.newAccountChoice],
        ]}
      />
      {account === newAccount && (
        <div class="columns">
          <AccountNameField value={newName} onChange={setNewName} />
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
    const saved = await adminJson<ApiKey>(`keys/${apiKey.id}`, { method: 'PATCH', body });
    await act(Promise.resolve());
    if (saved.state === 'revoked') throw new Error(t.keys.keyGone);
    told.value = t.keys.saved(saved.name || saved.redacted_value, saved.account_name);
  };
  return (
    <FormDialog
      title={nameOfKey(apiKey)}
      action={t.keys.save}
      work={save}
      gone={t.keys.keyGone}
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  );
}
