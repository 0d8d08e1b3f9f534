import type { Account, ApiKey, CreatedApiKey, PlanList, UsageList } from '../../api/types.ts';
import type { Act } from '../../state/polled.ts';
import { mayChange, mayMake } from '../../state/rights.ts';
import { t } from '../../words/operator-texts.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { openDialog } from '../../ui/overlays/dialog.tsx';
import { Marked } from '../../ui/tables/row-filter.tsx';
import { AccountDialog } from './dialogs/account-dialog.tsx';
import { toShortDate, toTime } from '../../words/times.ts';
import { BudgetBars } from '../../limits/budget-fields.tsx';
import { isUsedUp } from '../../limits/used-up.ts';
import { KeyRow } from './key-row.tsx';
import { amountsOf, limitsOf } from '../plans/plans.tsx';
import { UsageCells } from './usage-cells.tsx';

interface Props {
  readonly account: Account;
  /** Those to be shown. */
  readonly keys: readonly ApiKey[];
  /** All that work, shown or not. */
  readonly valid: readonly ApiKey[];
  readonly plans: PlanList['data'];
  /** The usage of accounts and keys within the last day, by their ids. */
  readonly usage: ReadonlyMap<string, UsageList['data'][number]>;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  /** The sought words. */
  readonly words: readonly string[];
  readonly act: Act;
  readonly onMakeKey: () => void;
  readonly onRotated: (created: CreatedApiKey, told?: string) => void;
}

/** An account with its plan, its use today and its rest, and below that its keys, in the same columns. */
export function AccountRow(props: Props) {
  const { account, keys, valid, plans, usage, words, isOpen, act, onOpen, onRotated } = props;
  const { name, plan, budgets } = account;
  const current = plans.find((one) => one.name === account.plan_in_force);
  const shownName = <Marked text={name} words={words} isName />;
  const change = () =>
    openDialog((close) => (
      <AccountDialog account={account} keyCount={valid.length} plans={plans} act={act} onClose={close} />
    ));
  return (
    <>
      <tr class={`account${isOpen ? ' opened' : ''}`} data-id={account.id}>
        <th scope="row">
          {keys.length === 0 ? (
            <span class="no-fold">{shownName}</span>
          ) : (
            <Button class="plain" aria-expanded={isOpen} text={shownName} onClick={() => onOpen(!isOpen)} />
          )}{' '}
          <KeyCount {...props} />
        </th>
        <td title={current && limitsOf(current)}>
          {plan} <PlanEnd account={account} />
        </td>
        <UsageCells of="account" usage={usage.get(account.id)} />
        <td>
          <BudgetBars budgets={budgets} isShort />
          {budgets.length === 0 && current !== undefined && (
            <span class="facts">
              {amountsOf(current.limits).length > 0 ? t.keys.perKey : t.keys.unlimited}
            </span>
          )}
          <SpentKeys {...props} />
        </td>
        <td>
          {mayChange.value && (
            <span class="row-actions">
              <IconButton icon="edit" label={`${t.keys.change}: ${name}`} onClick={change} />
            </span>
          )}
        </td>
      </tr>
      {isOpen &&
        keys.map((key) => (
          <KeyRow
            key={key.id}
            apiKey={key}
            usage={usage.get(key.id)}
            words={words}
            accountBudgets={budgets}
            act={act}
            onRotated={onRotated}
          />
        ))}
    </>
  );
}

/** How many keys it has; where that is none, a button that makes one. */
const KeyCount = ({ account, valid, onOpen, onMakeKey }: Props) => (
  <span class="count">
    <small>{t.keys.count(valid.length)}</small>{' '}
    {valid.length === 0 && mayMake.value && (
      <Button
        class="plain-link"
        aria-label={`${t.keys.makeFor}: ${account.name}`}
        text={t.keys.makeFor}
        onClick={() => {
          onOpen(true);
          onMakeKey();
        }}
      />
    )}
  </span>
);

/** How many of its keys can ask nothing more because of a budget of their own; nothing where none of all can. */
function SpentKeys({ account, valid }: Pick<Props, 'account' | 'valid'>) {
  const spent = valid.filter(({ budgets }) => budgets.some(isUsedUp)).length;
  if (spent === 0 || account.budgets.some(isUsedUp)) return null;
  return <span class="facts bar failed">{t.keys.keysSpent(spent)}</span>;
}

/** Until when its plan holds, or by which one it was followed. */
function PlanEnd({ account }: Pick<Props, 'account'>) {
  const { plan, plan_in_force: inForce, trial_ends_at: endsAt } = account;
  if (inForce !== plan) return <small>{t.keys.planEnded(inForce)}</small>;
  if (endsAt === null) return null;
  return (
    <small title={t.keys.planUntil(toTime(endsAt)) + t.keys.planThen}>
      {t.keys.planUntil(toShortDate(endsAt))}
      <span class="then">{t.keys.planThen}</span>
    </small>
  );
}
