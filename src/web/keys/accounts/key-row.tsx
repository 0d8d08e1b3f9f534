import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, LimitList, UsageList } from '../../api/types.ts';
import { asAdmin } from '../../state/session.ts';
import { useAdmin } from '../../state/asked.ts';
import { doHere, type Act } from '../../state/polled.ts';
import { mayChange, ownKey } from '../../state/rights.ts';
import { t } from '../../words/operator-texts.ts';
import { Button, IconButton } from '../../ui/controls.tsx';
import { ask } from '../../ui/overlays/ask.tsx';
import { openDialog } from '../../ui/overlays/dialog.tsx';
import { Marked } from '../../ui/tables/row-filter.tsx';
import { toAge, toDate, toTime } from '../../words/times.ts';
import { joined } from '../../words/formats.ts';
import { Balances, isSpent, MostSpent } from '../../limits/balances.tsx';
import { BudgetBars } from '../../limits/budget-fields.tsx';
import { isUsedUp } from '../../limits/used-up.ts';
import { ChangeKeyDialog } from './dialogs/key-dialog.tsx';
import { RowMenu } from '../rows/row-menu.tsx';
import { told } from '../rows/told.tsx';
import { ReplaceDialog } from './dialogs/replace-dialog.tsx';
import { UsageCells } from './usage-cells.tsx';
import './key-row.css';

const pollMs = 5000;
/** A key that ends within a week says so wherever there is room for anything. */
const soonSeconds = 7 * 86_400;

interface Props {
  readonly apiKey: ApiKey;
  /** Of the last day; undefined: nothing was used. */
  readonly usage: UsageList['data'][number] | undefined;
  /** The sought words. */
  readonly words: readonly string[];
  readonly accountBudgets: Account['budgets'];
  readonly act: Act;
  /** `told`: until when the old one works. */
  readonly onRotated: (created: CreatedApiKey, told?: string) => void;
}

/** The name of a key for people. */
const shownName = ({ name, created_at: at }: ApiKey): string => name || t.keys.unnamed(toDate(at));

/** A key in one row of the table of accounts, with the balance that it has spent most of; its name opens all of them. */
export function KeyRow({ apiKey, usage, words, accountBudgets, act, onRotated }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { id, redacted_value: redacted, kind, state, budgets } = apiKey;
  const { last_used_at: usedAt, expires_at: endsAt } = apiKey;
  const isUsed = state === 'active' && kind === 'user';
  const limits = useAdmin<LimitList>(isUsed ? `keys/${id}/limits` : undefined, pollMs);
  const none = toldOfNone(budgets, accountBudgets);
  return (
    <>
      <tr class={`key${isOpen ? ' opened' : ''}`} data-id={id} data-of={apiKey.account_id}>
        <th scope="row">
          <Button
            class="plain"
            aria-expanded={isOpen}
            text={<Marked text={shownName(apiKey)} words={words} />}
            onClick={() => setOpen(!isOpen)}
          />
          <code class="quiet">
            <Marked text={redacted} words={words} />
          </code>
          {id === ownKey.value?.id && <span class="state">{t.keys.thisKey}</span>}
          {state !== 'active' && <Ended apiKey={apiKey} />}
        </th>
        <td>
          {kind === 'admin' ? t.keys.admin : (apiKey.models?.join(', ') ?? t.keys.allModels)}{' '}
          <small title={joined(...[usedAt, endsAt].map((at) => at !== null && toTime(at)))}>
            {usedAt === null ? t.keys.neverUsed : t.keys.used(toAge(usedAt))}
            {endsAt !== null && state === 'active' && (
              <span class={endsAt > Date.now() / 1000 + soonSeconds ? 'then' : undefined}>
                {' '}
                · {t.keys.ends(toAge(endsAt))}
              </span>
            )}
          </small>
        </td>
        <UsageCells of="key" usage={usage} />
        <td>
          {accountBudgets.some(isUsedUp) && isUsed ? (
            <span class="facts bar failed">{t.keys.accountSpent}</span>
          ) : (
            <Left budgets={budgets} limits={limits.value?.data} none={none} />
          )}
        </td>
        <td>
          <KeyActions apiKey={apiKey} act={act} onRotated={onRotated} />
        </td>
      </tr>
      {isOpen && (
        <Details
          apiKey={apiKey}
          accountBudgets={isUsed ? accountBudgets : []}
          limits={limits.value?.data}
          none={none}
        />
      )}
    </>
  );
}

type DetailsProps = Pick<Props, 'apiKey' | 'accountBudgets'> & Omit<LeftProps, 'budgets'>;

/** What is known of a key beside its row, and all balances that bind it. */
function Details({ apiKey, accountBudgets, limits, none }: DetailsProps) {
  const { scopes, parallel, budgets, created_at: at, account_name: account } = apiKey;
  const isSecond = budgets.length + accountBudgets.length > 0;
  const facts = joined(...(scopes ?? []), parallel !== null && t.keys.atOnce(parallel));
  return (
    <tr>
      <td colspan={Object.keys(t.keys.accountColumns).length + 1} class="details">
        <p class="facts">{joined(t.keys.madeAt(toTime(at)), facts)}</p>
        <BudgetBars budgets={budgets} />
        <BudgetBars budgets={accountBudgets} title={t.budgets.titleOfAccount(account)} />
        {limits !== undefined && <Balances limits={limits} isSecond={isSecond} none={none} />}
      </td>
    </tr>
  );
}

/** Why a key does not work, and since when. */
function Ended({ apiKey: { state, revoked_at: revokedAt, expires_at: expiredAt } }: Pick<Props, 'apiKey'>) {
  const at = state === 'revoked' ? revokedAt : expiredAt;
  return (
    <>
      <span class={`state ${state}`} title={at === null ? undefined : toTime(at)}>
        {t.keys.state[state]}
      </span>{' '}
      {at !== null && <span class="quiet">{toAge(at)}</span>}
    </>
  );
}

/** What is said where the plan of a key has no limits: its budgets, and those of its account, hold all the same. */
function toldOfNone(budgets: ApiKey['budgets'], accountBudgets: Account['budgets']): string {
  if (budgets.length > 0) return t.keys.noOthers;
  return accountBudgets.length > 0 ? t.keys.noOwn : t.keys.unlimited;
}

interface LeftProps extends Pick<ApiKey, 'budgets'> {
  /** undefined: they are still to come. */
  readonly limits: LimitList['data'] | undefined;
  readonly none: string;
}

/** The balances of a key that are spent furthest. */
const Left = ({ budgets, limits, none }: LeftProps) => (
  <>
    <BudgetBars budgets={budgets} isShort />
    {limits !== undefined && tellsLimits(budgets, limits) && <MostSpent limits={limits} none={none} />}
  </>
);

/** Whether something is to be told beside its budgets: that all is free is said of them, and never below one that is spent. */
const tellsLimits = (budgets: ApiKey['budgets'], limits: LimitList['data']): boolean =>
  budgets.length === 0 || limits.some(isSpent);

/** The acts on a key: the rarer ones, which cannot be undone, by their words in a menu. */
function KeyActions({ apiKey, act, onRotated }: Pick<Props, 'apiKey' | 'act' | 'onRotated'>) {
  const { id, kind, state } = apiKey;
  const shown = shownName(apiKey);
  const whose = t.keys.whose(apiKey.name, apiKey.redacted_value, apiKey.account_name);
  const change = () => openDialog((close) => <ChangeKeyDialog apiKey={apiKey} act={act} onClose={close} />);
  const isOwn = id === ownKey.value?.id;
  const replace = () =>
    openDialog((close) => (
      <ReplaceDialog apiKey={apiKey} whose={whose} act={act} onRotated={onRotated} onClose={close} />
    ));
  const revoke = () =>
    ask({
      action: t.keys.revoke,
      question: t.keys.revokeQuestion(whose, isOwn),
      onConfirm: async () => {
        await doHere(act, asAdmin(`keys/${id}`, { method: 'DELETE' }));
        told.value = t.keys.revoked(shown, apiKey.account_name);
      },
    });
  if (state !== 'active' || !mayChange.value) return null;
  return (
    <span class="row-actions">
      {kind === 'user' && <IconButton icon="edit" label={`${t.keys.change}: ${shown}`} onClick={change} />}
      <RowMenu
        name={shown}
        items={[
          kind === 'user' && { icon: 'again', text: t.keys.rotateItem, act: replace },
          { icon: 'revoke', text: isOwn ? t.keys.revokeOwn : t.keys.revoke, act: revoke },
        ]}
      />
    </span>
  );
}
