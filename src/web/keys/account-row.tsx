import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, PlanList } from '../api/types.ts';
import { t } from '../operator-texts.ts';
import { IconButton } from '../ui/controls.tsx';
import { toCount } from '../words.ts';
import type { Usage } from '../usage/stacked-plot.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { BudgetBars, Scarcest } from './budget-fields.tsx';
import { KeyRow, keyColumns } from './key-row.tsx';
import { limitsOf } from './plan-words.ts';

interface Props {
  readonly account: Account;
  /** Those to be shown. */
  readonly keys: readonly ApiKey[];
  readonly plans: PlanList['data'];
  /** Of the last day; undefined: nothing was used. */
  readonly usage: Usage | undefined;
  readonly isOpen: boolean;
  readonly act: (work: Promise<unknown>) => Promise<void>;
  readonly onRotated: (created: CreatedApiKey) => void;
}

export const accountColumns = ['account', 'plan', 'keys', 'requests', 'tokens', 'refused', 'budget'] as const;

/** An account with its plan, what it used today and what it has left, and below that its keys. */
export function AccountRow(props: Props) {
  const { account, keys, plans, usage, act, onRotated } = props;
  const [isOpen, setOpen] = useState(props.isOpen);
  const [changing, setChanging] = useState(false);
  const { name, plan, plan_in_force: inForce, budgets } = account;
  const current = plans.find((one) => one.name === inForce);
  const tokens = usage === undefined ? 0 : usage.prompt_tokens + usage.completion_tokens;
  return (
    <>
      <tr class="account">
        <th scope="row">
          <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {name}
          </button>
        </th>
        <td title={current === undefined ? undefined : limitsOf(current)}>
          {plan} {inForce !== plan && <small>{t.keys.planEnded(inForce)}</small>}
        </td>
        {[keys.length, usage?.requests ?? 0, tokens, usage?.refused_requests ?? 0].map((figure, index) => (
          <td
            key={index}
            class="number"
            data-title={t.keys.accountColumns[accountColumns[index + 2] ?? 'keys']}
          >
            {figure === 0 ? '' : toCount(figure)}
          </td>
        ))}
        <td>
          <Scarcest of={budgets} />
        </td>
        <td>
          <span class="row-actions">
            <IconButton icon="edit" label={`${t.keys.change}: ${name}`} onClick={() => setChanging(true)} />
          </span>
          {changing && (
            <AccountDialog account={account} plans={plans} act={act} onClose={() => setChanging(false)} />
          )}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colspan={accountColumns.length + 1} class="details">
            {budgets.length > 1 && <BudgetBars budgets={budgets} />}
            {keys.length > 0 && <KeyTable keys={keys} act={act} onRotated={onRotated} />}
          </td>
        </tr>
      )}
    </>
  );
}

const KeyTable = ({ keys, act, onRotated }: Pick<Props, 'keys' | 'act' | 'onRotated'>) => (
  <table class="keys stacks">
    <thead>
      <tr>
        {keyColumns.map((column) => (
          <th key={column} scope="col">
            {t.keys.columns[column]}
          </th>
        ))}
        <td />
      </tr>
    </thead>
    <tbody>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} act={act} onRotated={onRotated} />
      ))}
    </tbody>
  </table>
);
