import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, PlanList, UsageList } from '../api/types.ts';
import type { Act } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Button, IconButton } from '../ui/controls.tsx';
import { NumberCell } from '../ui/table.tsx';
import { AccountDialog } from './account-dialog.tsx';
import { BudgetBars } from './budget-fields.tsx';
import { KeyRow } from './key-row.tsx';
import { limitsOf } from './plans.tsx';

interface Props {
  readonly account: Account;
  /** Those to be shown. */
  readonly keys: readonly ApiKey[];
  readonly plans: PlanList['data'];
  /** Of the last day; undefined: nothing was used. */
  readonly usage: UsageList['data'][number] | undefined;
  readonly isOpen: boolean;
  readonly act: Act;
  readonly onRotated: (created: CreatedApiKey) => void;
}

/** The columns of figures. */
export const accountFigures = ['keys', 'requests', 'tokens', 'refused'] as const;

/** An account with its plan, what it used today and what it has left, and below that its keys, in the same columns. */
export function AccountRow(props: Props) {
  const { account, keys, plans, usage, act, onRotated } = props;
  const [isOpen, setOpen] = useState(props.isOpen);
  const [changing, setChanging] = useState(false);
  const { name, plan, plan_in_force: inForce, budgets } = account;
  const current = plans.find((one) => one.name === inForce);
  const figures = {
    keys: keys.length,
    requests: usage?.requests ?? 0,
    tokens: usage === undefined ? 0 : usage.prompt_tokens + usage.completion_tokens,
    refused: usage?.refused_requests ?? 0,
  };
  return (
    <>
      <tr class="account">
        <th scope="row">
          <Button class="plain" aria-expanded={isOpen} text={name} onClick={() => setOpen(!isOpen)} />
        </th>
        <td title={current && limitsOf(current)}>
          {plan} {inForce !== plan && <small>{t.keys.planEnded(inForce)}</small>}
        </td>
        {accountFigures.map((column) => (
          <NumberCell key={column} title={t.keys.accountColumns[column]} value={figures[column]} />
        ))}
        <td>
          <BudgetBars budgets={budgets} isShort />
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
      {isOpen && keys.map((key) => <KeyRow key={key.id} apiKey={key} act={act} onRotated={onRotated} />)}
    </>
  );
}
