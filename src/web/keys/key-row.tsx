import { useState } from 'preact/hooks';
import type { ApiKey, CreatedApiKey, LimitList } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { usePolled } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { IconButton } from '../ui/controls.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { toTime } from '../words.ts';
import { Balances, MostSpent } from './balances.tsx';

const pollMs = 5000;

interface Props {
  readonly apiKey: ApiKey;
  readonly act: (work: Promise<unknown>) => Promise<void>;
  readonly onRotated: (created: CreatedApiKey) => void;
}

/** A key in one line, with the balance that it has spent most of; its name opens all of them. */
export function KeyRow({ apiKey, act, onRotated }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { id, name, redacted_value: redacted, account_name: account, kind, state } = apiKey;
  const shown = name || redacted;
  const limits = usePolled(
    (signal) =>
      state === 'active' && kind === 'user'
        ? adminJson<LimitList>(`keys/${id}/limits`, { signal })
        : Promise.resolve(undefined),
    [id, state],
    pollMs,
  );
  const models = apiKey.models?.join(', ') ?? t.keys.allModels;
  return (
    <li class="key">
      <div class="line">
        <h2>
          <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {shown}
          </button>
        </h2>
        <span class="facts">
          {[account, ...(kind === 'admin' ? [t.keys.admin] : [models]), lastUse(apiKey), expiry(apiKey)].join(
            ' · ',
          )}
        </span>
        {limits.value !== undefined && <MostSpent limits={limits.value.data} />}
        {state !== 'active' && <span class={`state ${state}`}>{t.keys.state[state]}</span>}
        <KeyActions apiKey={apiKey} act={act} onRotated={onRotated} />
      </div>
      {isOpen && (
        <div class="details">
          <p class="facts">
            <code>{redacted}</code> · {t.keys.madeAt(toTime(apiKey.created_at))} · {models}
          </p>
          {limits.value !== undefined && <Balances limits={limits.value.data} />}
        </div>
      )}
    </li>
  );
}

function KeyActions({ apiKey: { id, name, redacted_value: redacted, kind, state }, act, onRotated }: Props) {
  const [asking, setAsking] = useState<'rotate' | 'revoke'>();
  const shown = name || redacted;
  if (state !== 'active') return null;
  return (
    <span class="row-actions">
      {kind === 'user' && (
        <IconButton icon="again" label={`${t.keys.rotate}: ${shown}`} onClick={() => setAsking('rotate')} />
      )}
      <IconButton icon="trash" label={`${t.keys.revoke}: ${shown}`} onClick={() => setAsking('revoke')} />
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
    </span>
  );
}

const rotate = (id: string) => adminJson<CreatedApiKey>(`keys/${id}/rotate`, { method: 'POST', body: {} });

const lastUse = ({ last_used_at: at }: ApiKey) => (at === null ? t.keys.unused : t.keys.usedAt(toTime(at)));

const expiry = ({ expires_at: at }: ApiKey) => (at === null ? t.keys.noExpiry : t.keys.expiresAt(toTime(at)));
