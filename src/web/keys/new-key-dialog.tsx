import { useState } from 'preact/hooks';
import type { Account, CreatedApiKey } from '../api/types.ts';
import { adminJson } from '../state/session.ts';
import { messageOf } from '../state/polled.ts';
import { models } from '../state/models.ts';
import { t } from '../texts.ts';
import { Choice, CopyButton, Field, Problem } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';

interface Props {
  readonly accounts: readonly Account[];
  readonly onCreated: (key: CreatedApiKey) => void;
  readonly onClose: () => void;
}

const lifetimes = ['', '1d', '30d', '90d', '365d'].map((text) => [text, text || t.keys.never] as const);

export function NewKeyDialog({ accounts, onCreated, onClose }: Props) {
  const [account, setAccount] = useState(accounts[0]?.id ?? '');
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState('');
  const [allowed, setAllowed] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string>();
  const create = async () => {
    const body = {
      account,
      name,
      ...(lifetime !== '' && { expires_in: lifetime }),
      ...(allowed.length > 0 && { models: allowed }),
    };
    try {
      onCreated(await adminJson<CreatedApiKey>('keys', { method: 'POST', body }));
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  return (
    <Dialog title={t.keys.create} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Problem text={problem} />
        <Field label={t.keys.account}>
          <Choice
            value={account}
            onChange={setAccount}
            options={accounts.map(({ id, name: label }) => [id, label])}
          />
        </Field>
        <Field label={t.keys.name}>
          <input value={name} maxlength={100} onInput={({ currentTarget }) => setName(currentTarget.value)} />
        </Field>
        <Field label={t.keys.expires}>
          <Choice value={lifetime} onChange={setLifetime} options={lifetimes} />
        </Field>
        <ModelChoice allowed={allowed} onChange={setAllowed} />
        <div class="actions">
          <button type="submit" class="primary">
            {t.keys.make}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The models that a key may use; none ticked: all. */
function ModelChoice({
  allowed,
  onChange,
}: {
  allowed: readonly string[];
  onChange: (allowed: readonly string[]) => void;
}) {
  const ids = [...new Set(models.value?.map(({ id }) => id.replace(/-r$/, '')))];
  return (
    <fieldset>
      <legend>
        {t.keys.models} ({allowed.length === 0 ? t.keys.noneChosen : allowed.length})
      </legend>
      {ids.map((id) => (
        <label key={id} class="check">
          <input
            type="checkbox"
            checked={allowed.includes(id)}
            onChange={({ currentTarget }) =>
              onChange(currentTarget.checked ? [...allowed, id] : allowed.filter((other) => other !== id))
            }
          />
          {id}
        </label>
      ))}
    </fieldset>
  );
}

/** The secret of a new key, once, and how a client uses it. */
export function SecretDialog({ created, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  const snippet = `export OPENAI_BASE_URL=${new URL('v1', document.baseURI).href}\nexport OPENAI_API_KEY=${created.value}`;
  return (
    <Dialog title={created.name || t.keys.create} onClose={onClose}>
      <p>{t.keys.secretOnce}</p>
      <p class="secret">
        <code>{created.value}</code> <CopyButton text={created.value} />
      </p>
      <p>{t.keys.snippet}</p>
      <div class="secret">
        <pre tabindex={0}>{snippet}</pre> <CopyButton text={snippet} />
      </div>
      <div class="actions">
        <button type="button" class="primary" onClick={onClose}>
          {t.keys.done}
        </button>
      </div>
    </Dialog>
  );
}
