import type { ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button, CopyButton, IconButton, Problem } from '../ui/controls.tsx';
import { Check, Form, TextField } from '../ui/forms/fields.tsx';
import { ApiError, sendForJson } from '../api/request.ts';
import { adminJson, hasLeft, signIn, signedIn, signOutReason } from '../state/session.ts';
import { mayMake } from '../state/rights.ts';
import type { ViewName } from '../state/route.ts';
import { usePolled, useWork } from '../state/polled.ts';
import type { Account, CreatedApiKey, ListOf } from '../api/types.ts';
import { t } from '../words/dialog-texts.ts';
import { Fold } from '../ui/fold.tsx';
import { Outcome } from '../ui/outcome.tsx';
import { isThisMachine } from '../words/formats.ts';
import './sign-in.css';

interface Props {
  /** The need that the key of this tab does not meet: the view that needs an ordinary one, or an admin key. */
  readonly needs?: ViewName | 'admin' | undefined;
}

/** Where a key is pasted. */
export function SignIn({ needs }: Props) {
  const [secret, setSecret] = useState('');
  const [remember, setRemember] = useState(false);
  const work = useWork();
  const { problem, isBusy, act } = work;
  const field = useRef<HTMLInputElement>(null);
  const { title, lead } = t.signIn.needs[needs ?? ''] ?? {
    title: t.signIn.title,
    lead: t.signIn.lead(isThisMachine(location.hostname) ? undefined : location.hostname),
  };
  const lacksOrdinary = needs !== undefined && needs !== 'admin';
  const makesKey = lacksOrdinary && mayMake.value;
  useEffect(() => {
    if (!makesKey) field.current?.focus();
  }, [problem]);
  const isElsewhere = useElsewhere(needs);
  if (isElsewhere) return null;
  // In the place of a view it stands in the page's main part.
  const Frame = signedIn.value ? 'section' : 'main';
  return (
    <Frame class="sign-in">
      <img src="./icon.svg" alt="" width="56" height="56" />
      <h1>{title}</h1>
      {!signedIn.value && <ProviderLink />}
      <p>
        {lead} {lacksOrdinary && (makesKey ? t.signIn.makeOrPaste : t.signIn.pasteOne)}
      </p>
      <Problem text={signedIn.value ? undefined : signOutReason.value} />
      <Form onSend={() => void act(signIn(secret.trim(), remember).catch(explain))}>
        {makesKey && (
          <Button
            class="primary"
            isBusy={isBusy}
            text={t.signIn.makeKey}
            onClick={() => void act(makeKey(remember))}
          />
        )}
        <KeyField
          ref={field}
          problem={problem}
          value={secret}
          onChange={(text) => {
            setSecret(text);
            work.forget();
          }}
        />
        <Check label={t.signIn.remember} isOn={remember} onChange={setRemember} />
        <Button
          type="submit"
          class={makesKey ? '' : 'primary'}
          isBusy={isBusy}
          text={signedIn.value ? t.signIn.addKey : t.signIn.submit}
        />
        {isBusy && <Outcome of={work} />}
      </Form>
      {!signedIn.value && <p class="quiet">{t.signIn.invited}</p>}
      {!makesKey && <OperatorHelp needs={needs} />}
    </Frame>
  );
}

/** An admin key has no limits: those of all accounts are told with their keys, where it leads. */
function useElsewhere(needs: Props['needs']): boolean {
  const isElsewhere = needs === 'limits';
  useEffect(() => {
    if (isElsewhere) location.replace('#/keys');
  }, [isElsewhere]);
  return isElsewhere;
}

/** Explains a key that the server does not know: the likely fault, and the remedy. */
function explain(error: unknown): never {
  throw error instanceof ApiError && error.code === 'invalid_api_key' ? new Error(t.signIn.refused) : error;
}

/** A key is seen only while somebody wants to see it. */
function KeyField(props: Pick<ComponentProps<typeof TextField>, 'ref' | 'problem' | 'value' | 'onChange'>) {
  const [isSeen, setSeen] = useState(false);
  return (
    <div class="key-field">
      <TextField
        label={t.signIn.key}
        type={isSeen ? 'text' : 'password'}
        autocomplete="off"
        spellcheck={false}
        required
        {...props}
      />
      <IconButton
        icon="eye"
        label={t.signIn.showKey}
        aria-pressed={isSeen}
        onClick={() => setSeen(!isSeen)}
      />
    </div>
  );
}

/** How whoever runs the machine makes a key there. */
const OperatorHelp = ({ needs }: Props) => (
  <Fold class="quiet" title={t.signIn.isOperator} isOpen={needs === 'admin'}>
    <p>{t.signIn.help}</p>
    {needs !== 'admin' && <Command text={t.signIn.makeKeyCommand} />}
    {needs === undefined && <p>{t.signIn.adminHelp}</p>}
    {(needs === undefined || needs === 'admin') && <Command text={t.signIn.makeAdminKeyCommand} />}
  </Fold>
);

const Command = ({ text }: { text: string }) => (
  <p class="secret">
    <code>
      {/* A line ends before an option, and not at a hyphen of it. */}
      {text.split(/(?=--)/).map((part) => (
        <span key={part}>{part}</span>
      ))}
    </code>{' '}
    <CopyButton text={text} />
  </p>
);

interface SignInWays {
  readonly provider: { readonly name: string; readonly address: string } | null;
}

/** The way to the identity provider of the house, where it has one. */
function ProviderLink() {
  const { value } = usePolled(() => sendForJson<SignInWays>('page/session'), []);
  if (!value?.provider) return null;
  const { name, address } = value.provider;
  return (
    <p>
      <a class="button primary" href={hasLeft() ? `${address}?anew=true` : address}>
        {t.signIn.by(name)}
      </a>
    </p>
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
