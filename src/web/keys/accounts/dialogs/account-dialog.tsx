import { useState } from 'preact/hooks';
import type { Account, PlanList } from '../../../api/types.ts';
import { adminJson, asAdmin } from '../../../state/session.ts';
import { doHere, type Act } from '../../../state/polled.ts';
import { t } from '../../../words/operator-texts.ts';
import { BudgetFields, toBudgets, toWishes } from '../../../limits/budget-fields.tsx';
import { showMade } from '../../../ui/tables/show-made.ts';
import { FormDialog } from '../../../ui/forms/form-dialog.tsx';
import { firstAccount, PlanField } from '../../plans/plans.tsx';
import { RemoveButton } from '../../rows/remove-button.tsx';
import { told } from '../../rows/told.tsx';
import { NameField } from '../../name-field.tsx';

export const makeAccount = (body: { readonly name: string; readonly plan: string }): Promise<Account> =>
  adminJson<Account>('accounts', { method: 'POST', body });

interface Props {
  /** undefined: a new one is made. */
  readonly account: Account | undefined;
  /** How many valid keys it has. */
  readonly keyCount?: number;
  readonly plans: PlanList['data'];
  /** The plan of a new one, unless another is chosen. */
  readonly usual?: string;
  readonly act: Act;
  readonly onMade?: (account: Account) => void;
  readonly onClose: () => void;
}

/** An account's name, plan and budgets. */
export function AccountDialog({ account, keyCount = 0, plans, usual = '', act, onMade, onClose }: Props) {
  const [name, setName] = useState(account?.name ?? '');
  const [plan, setPlan] = useState(account?.plan ?? usual);
  const [budgets, setBudgets] = useState(toWishes(account?.budgets ?? []));
  const save = async () => {
    const change = { name: name.trim(), plan, budgets: toBudgets(budgets, account?.budgets) };
    await doHere(
      act,
      account
        ? asAdmin(`accounts/${account.id}`, { method: 'PATCH', body: change })
        : makeAccount(change).then((made) => {
            onMade?.(made);
            showMade(made.id);
          }),
    );
    told.value = (account ? t.keys.accountSaved : t.keys.accountMade)(change.name);
  };
  return (
    <FormDialog
      title={account?.name ?? t.keys.makes.account}
      action={account === undefined ? t.keys.makeAccount : t.keys.save}
      work={save}
      gone={t.keys.accountGone}
      onClose={onClose}
      beside={
        account !== undefined && (
          <RemoveButton
            action={t.keys.removeAccount}
            question={t.keys.removeAccountQuestion(account.name, keyCount)}
            done={t.keys.accountRemoved(account.name, keyCount)}
            path={`accounts/${account.id}`}
            act={act}
            onClose={onClose}
          />
        )
      }
    >
      {account?.name !== firstAccount && <AccountNameField value={name} onChange={setName} />}
      <PlanField plan={plan} plans={plans} onChange={setPlan} />
      <BudgetFields lead={t.budgets.ofAccount} wishes={budgets} onChange={setBudgets} />
    </FormDialog>
  );
}

/** The name of an account, which the server takes up to this length. */
export const AccountNameField = (field: { value: string; onChange: (name: string) => void }) => (
  <NameField label={t.keys.accountName} required most={64} {...field} />
);
