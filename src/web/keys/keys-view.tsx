import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, ListOf } from '../api/types.ts';
import { adminJson } from '../state/session.ts';
import { messageOf, usePolled } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Problem, Progress } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { RowFilter, useFilter } from '../ui/row-filter.tsx';
import { AccountList } from './account-list.tsx';
import { KeyRow } from './key-row.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { SecretDialog } from './secret-dialog.tsx';

const pollMs = 5000;

/** Accounts, their keys, and what each key may still use. */
export function KeysView() {
  const accounts = usePolled((signal) => adminJson<ListOf<Account>>('accounts', { signal }), [], pollMs);
  const keys = usePolled((signal) => adminJson<ListOf<ApiKey>>('keys', { signal }), [], pollMs);
  const [showsOld, setShowsOld] = useState(false);
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey>();
  const [problem, setProblem] = useState<string>();
  const act = async (work: Promise<unknown>) => {
    setProblem(undefined);
    await work.catch((error: unknown) => setProblem(messageOf(error)));
    accounts.reload();
    keys.reload();
  };
  const all = keys.value?.data.filter(({ state }) => showsOld || state === 'active') ?? [];
  const { shown, filter } = useFilter(all, (key) => `${key.name} ${key.account_name} ${key.redacted_value}`);
  const accountList = accounts.value?.data ?? [];
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.views.keys}</h1>
        <button type="button" class="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" /> {t.keys.create}
        </button>
      </header>
      <Problem text={problem} />
      <Progress of={keys} />
      <section class="card">
        <RowFilter filter={filter} count={all.length} />
        <ul class="lines">
          {shown.toSorted(byLastUse).map((key) => (
            <KeyRow key={key.id} apiKey={key} act={act} onRotated={setCreated} />
          ))}
        </ul>
        <label class="check quiet">
          <input
            type="checkbox"
            checked={showsOld}
            onChange={({ currentTarget }) => setShowsOld(currentTarget.checked)}
          />
          {t.keys.showOld}
        </label>
      </section>
      <AccountList accounts={accountList} act={act} />
      {creating && (
        <NewKeyDialog
          accounts={accountList}
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            accounts.reload();
            keys.reload();
          }}
        />
      )}
      {created !== undefined && <SecretDialog created={created} onClose={() => setCreated(undefined)} />}
    </div>
  );
}

/** The one used last first, then the newest. */
const byLastUse = (one: ApiKey, other: ApiKey) =>
  (other.last_used_at ?? 0) - (one.last_used_at ?? 0) || other.created_at - one.created_at;
