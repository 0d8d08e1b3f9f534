import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, PlanList } from '../api/types.ts';
import { asAdmin } from '../state/session.ts';
import { t } from '../operator-texts.ts';
import { IconButton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { toCount } from '../words.ts';
import type { Usage } from '../usage/stacked-plot.tsx';
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

/** An account with its plan and what it used today, and its keys in rows. */
export function AccountSection(props: Props) {
  const { account, keys, plans, usage, act, onRotated } = props;
  const [isOpen, setOpen] = useState(props.isOpen);
  const { id, name, plan, plan_in_force: inForce } = account;
  const current = plans.find((one) => one.name === inForce);
  return (
    <section class="card account" aria-label={name}>
      <header>
        <h2>
          <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {name}
          </button>
        </h2>
        <span class="quiet">{factsOf(keys.length, usage).join(' · ')}</span>
        <span class="spacer" />
        {inForce !== plan && <span class="quiet">{t.keys.planEnded(inForce)}</span>}
        <select
          aria-label={`${t.keys.plan}: ${name}`}
          title={current === undefined ? undefined : limitsOf(current)}
          value={plan}
          onChange={({ currentTarget }) =>
            void act(asAdmin(`accounts/${id}`, { method: 'PATCH', body: { plan: currentTarget.value } }))
          }
        >
          {plans.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
        <RemoveAccount account={account} act={act} />
      </header>
      {isOpen && keys.length > 0 && <KeyTable keys={keys} act={act} onRotated={onRotated} />}
    </section>
  );
}

const factsOf = (keys: number, usage: Usage | undefined): string[] => [
  t.keys.count(keys),
  ...(usage === undefined
    ? []
    : [t.keys.today(toCount(usage.requests), toCount(usage.prompt_tokens + usage.completion_tokens))]),
  ...(usage === undefined || usage.refused_requests === 0
    ? []
    : [t.keys.refusedToday(toCount(usage.refused_requests))]),
];

const KeyTable = ({ keys, act, onRotated }: Pick<Props, 'keys' | 'act' | 'onRotated'>) => (
  <div class="scroll" tabindex={0}>
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
  </div>
);

function RemoveAccount({ account: { id, name }, act }: Pick<Props, 'account' | 'act'>) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <IconButton icon="trash" label={`${t.keys.removeAccount}: ${name}`} onClick={() => setAsking(true)} />
      {asking && (
        <Confirm
          question={t.keys.removeAccountQuestion(name)}
          action={t.keys.removeAccount}
          onClose={() => setAsking(false)}
          onConfirm={() => void act(asAdmin(`accounts/${id}`, { method: 'DELETE' }))}
        />
      )}
    </>
  );
}
