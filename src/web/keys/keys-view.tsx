import { useState } from 'preact/hooks';
import type { Account, ApiKey, CreatedApiKey, LimitList, ListOf } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { messageOf, usePolled } from '../state/polled.ts';
import { t } from '../texts.ts';
import { Problem, Progress } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { toTime } from '../words.ts';
import { AccountList } from './account-list.tsx';
import { Balances } from './balances.tsx';
import { NewKeyDialog, SecretDialog } from './new-key-dialog.tsx';

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
  const shown = keys.value?.data.filter(({ state }) => showsOld || state === 'active') ?? [];
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
      <ul class="cards">
        {shown.map((key) => (
          <KeyCard key={key.id} apiKey={key} act={act} onRotated={setCreated} />
        ))}
      </ul>
      <label class="check">
        <input
          type="checkbox"
          checked={showsOld}
          onChange={({ currentTarget }) => setShowsOld(currentTarget.checked)}
        />
        {t.keys.showOld}
      </label>
      <AccountList accounts={accountList} act={act} />
      {creating && (
        <NewKeyDialog
          accounts={accountList}
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreating(false);
            setCreated(key);
            keys.reload();
          }}
        />
      )}
      {created !== undefined && <SecretDialog created={created} onClose={() => setCreated(undefined)} />}
    </div>
  );
}

interface CardProps {
  readonly apiKey: ApiKey;
  readonly act: (work: Promise<unknown>) => Promise<void>;
  readonly onRotated: (created: CreatedApiKey) => void;
}

function KeyCard({ apiKey, act, onRotated }: CardProps) {
  const [asking, setAsking] = useState<'rotate' | 'revoke'>();
  const { id, name, redacted_value: redacted, account_name: account, kind, state } = apiKey;
  const shown = name || redacted;
  const isUser = state === 'active' && kind === 'user';
  return (
    <li class="card key">
      <header>
        <h2>{shown}</h2>
        <span class={`state ${state}`}>{t.keys.state[state]}</span>
      </header>
      <p class="facts">
        <code>{redacted}</code> · {account} · {kind} · {(apiKey.models ?? [t.keys.allModels]).join(', ')} ·{' '}
        {lastUse(apiKey)}
      </p>
      {isUser && <KeyBalances keyId={id} />}
      {state === 'active' && (
        <div class="actions">
          {isUser && (
            <button type="button" onClick={() => setAsking('rotate')}>
              {t.keys.rotate}
            </button>
          )}
          <button type="button" class="quiet" onClick={() => setAsking('revoke')}>
            {t.keys.revoke}
          </button>
        </div>
      )}
      {asking !== undefined && (
        <Confirm
          question={asking === 'rotate' ? t.keys.rotateQuestion(shown) : t.keys.revokeQuestion(shown)}
          action={t.keys[asking]}
          onClose={() => setAsking(undefined)}
          onConfirm={() =>
            void act(
              asking === 'rotate' ? rotate(id).then(onRotated) : asAdmin(`keys/${id}`, { method: 'DELETE' }),
            )
          }
        />
      )}
    </li>
  );
}

const rotate = (id: string) => adminJson<CreatedApiKey>(`keys/${id}/rotate`, { method: 'POST', body: {} });

const lastUse = ({ last_used_at: at }: ApiKey) => (at === null ? t.keys.unused : toTime(at));

function KeyBalances({ keyId }: { keyId: string }) {
  const limits = usePolled(
    (signal) => adminJson<LimitList>(`keys/${keyId}/limits`, { signal }),
    [keyId],
    pollMs,
  );
  return limits.value === undefined ? null : <Balances limits={limits.value.data} />;
}
