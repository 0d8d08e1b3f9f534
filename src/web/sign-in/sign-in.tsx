import { useState } from 'preact/hooks';
import { Field, Problem } from '../ui/controls.tsx';
import { adminJson, isAdmin, signIn, signedIn, signOutReason } from '../state/session.ts';
import { messageOf } from '../state/polled.ts';
import type { Account, CreatedApiKey, ListOf } from '../api/types.ts';
import { t } from '../texts.ts';

/** Where a key is pasted. `needs`: the kind that the opened view lacks, beside the key that is there. */
export function SignIn({ needs }: { needs?: 'user' | 'admin' }) {
  const [secret, setSecret] = useState('');
  const [remember, setRemember] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const attempt = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    await work().catch((error: unknown) => setProblem(messageOf(error)));
    setBusy(false);
  };
  const lead =
    needs === 'admin' ? t.signIn.needsAdminKey : needs === 'user' ? t.signIn.needsUserKey : t.signIn.lead;
  // In the place of a view it stands in the page's main part.
  const Frame = signedIn.value ? 'section' : 'main';
  return (
    <Frame class="sign-in">
      <img src="./icon.svg" alt="" width="56" height="56" />
      <h1>{signedIn.value ? t.signIn.addKey : t.signIn.title}</h1>
      <p>{lead}</p>
      <Problem text={problem ?? (signedIn.value ? undefined : signOutReason.value)} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void attempt(() => signIn(secret.trim(), remember));
        }}
      >
        <Field label={t.signIn.key}>
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            value={secret}
            onInput={({ currentTarget }) => setSecret(currentTarget.value)}
          />
        </Field>
        <label class="check">
          <input
            type="checkbox"
            checked={remember}
            onChange={({ currentTarget }) => setRemember(currentTarget.checked)}
          />
          {t.signIn.remember}
        </label>
        <button type="submit" class="primary" disabled={busy}>
          {t.signIn.submit}
        </button>
        {needs === 'user' && isAdmin.value && (
          <button type="button" disabled={busy} onClick={() => void attempt(() => makeKey(remember))}>
            {t.signIn.makeKey}
          </button>
        )}
      </form>
      <p class="quiet">{t.signIn.help}</p>
    </Frame>
  );
}

/** Makes an ordinary key in the oldest account, valid for 30 days, and signs in with it. */
async function makeKey(remember: boolean): Promise<void> {
  const { data: accounts } = await adminJson<ListOf<Account>>('accounts');
  const oldest = accounts.toSorted((a, b) => a.created_at - b.created_at)[0];
  if (oldest === undefined) return;
  const body = { account: oldest.id, name: 'page', expires_in: '30d' };
  const { value } = await adminJson<CreatedApiKey>('keys', { method: 'POST', body });
  await signIn(value, remember);
}
