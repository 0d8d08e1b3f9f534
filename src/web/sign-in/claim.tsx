import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError, sendForJson } from '../api/request.ts';
import type { Claim as Seen } from '../api/types.ts';
import { amountsOf } from '../keys/plans/plans.tsx';
import { useWork } from '../state/polled.ts';
import { enterWith, isRemembered, remember, signedIn } from '../state/session.ts';
import { t } from '../words/dialog-texts.ts';
import { Button, CopyButton, Problem } from '../ui/controls.tsx';
import { Check, Form, TextField } from '../ui/forms/fields.tsx';
import { Fold } from '../ui/fold.tsx';
import { Outcome } from '../ui/outcome.tsx';
import { toTime } from '../words/times.ts';
import { isThisMachine } from '../words/formats.ts';
import './sign-in.css';

const storageName = 'hearth-browser';

/** The name that this browser gives itself: it takes one seat of each invitation. */
function browserName(): string {
  const random = () =>
    [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0'));
  const name = localStorage.getItem(storageName) ?? random().join('');
  localStorage.setItem(storageName, name);
  return name;
}

/** Where an invitation is claimed. `onEnd`: the page goes on as it is for everybody. */
export function Claim({ code, onEnd }: { code: string; onEnd: () => void }) {
  const [seen, setSeen] = useState<Seen>();
  const [isBroken, setBroken] = useState(false);
  const work = useWork();
  const { problem, act } = work;
  const ask = (as?: string) => {
    const body = { code, browser: browserName(), ...(as !== undefined && { name: as }) };
    const tell = (error: unknown) => {
      setBroken(error instanceof ApiError && error.code === 'invalid_invitation');
      throw error;
    };
    // The key comes this once: who closes the tab or loads it anew would be out otherwise.
    const enter = (claim: Seen) => {
      if (claim.value !== null) enterWith(claim.value);
      setSeen(claim);
    };
    void act(sendForJson<Seen>('page/claim', { method: 'POST', body }).then(enter, tell));
  };
  useEffect(ask, [code]);
  const start = () => {
    history.replaceState(null, '', `${location.pathname}#/chat`);
    onEnd();
  };
  const who = seen?.claimed_by ?? undefined;
  return (
    <main class="sign-in">
      <img src="./icon.svg" alt="" width="56" height="56" />
      <h1>{isBroken ? t.claim.broken : who === undefined ? t.claim.title : t.claim.welcome(who)}</h1>
      {!isBroken && seen?.invitation && <h2>{seen.invitation}</h2>}
      {(isBroken || seen === undefined) && <Problem text={problem} />}
      {isBroken ? (
        <Button text={signedIn.value ? t.claim.toChats : t.signIn.title} onClick={start} />
      ) : seen === undefined ? null : who === undefined ? (
        <>
          <NameForm work={work} onName={ask} onLeave={start} />
          <Terms of={seen} />
        </>
      ) : (
        <>
          <p>{seen.value === null ? t.claim.claimedBefore(who) : t.claim.claimed}</p>
          {!signedIn.value && <p>{t.claim.keyIsElsewhere}</p>}
          {seen.value !== null && (
            <Check label={t.signIn.remember} isOn={isRemembered.value} onChange={remember} />
          )}
          <Button class="primary" text={signedIn.value ? t.claim.start : t.signIn.title} onClick={start} />
          {seen.value !== null && (
            <>
              <p class="quiet">{t.claim.otherPrograms}</p>
              <p class="secret">
                <code>{seen.value}</code> <CopyButton text={seen.value} />
              </p>
            </>
          )}
        </>
      )}
    </main>
  );
}

/** The plan that one joins, and until when one may: the terms of all together in a sentence, and the rest below. */
function Terms({ of: { open_until: openUntil, plan, budgets } }: { of: Seen }) {
  const allowances = [
    [t.claim.ofThisKey, budgets] as const,
    [t.claim.ofAccount, plan?.account ?? {}] as const,
    [t.claim.ofKey, plan?.limits ?? {}] as const,
  ].flatMap(([what, amounts]) => amountsOf(amounts).map((line) => `${line} ${what}`));
  const [most] = allowances;
  return (
    <div class="quiet">
      {most !== undefined ? (
        <p>{t.claim.allows(plan?.days ?? null, most)}</p>
      ) : (
        plan !== null && <p>{t.claim.unlimited}</p>
      )}
      <p>{t.claim.openUntil(toTime(openUntil))}</p>
      {allowances.length > 1 && (
        <Fold title={t.claim.allAllowed}>
          <ul>
            {allowances.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}

interface NameProps {
  readonly work: ReturnType<typeof useWork>;
  readonly onName: (name: string) => void;
  readonly onLeave: () => void;
}

function NameForm({ work, onName, onLeave }: NameProps) {
  const { problem, isBusy, forget } = work;
  const [name, setName] = useState('');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), [problem]);
  return (
    <Form onSend={() => onName(name)}>
      <p>{t.claim.lead(isThisMachine(location.hostname) ? undefined : location.hostname)}</p>
      <TextField
        ref={field}
        label={t.claim.name}
        problem={problem}
        autocomplete="name"
        pattern=".{0,64}"
        required
        value={name}
        onChange={(text) => {
          setName(text);
          forget();
        }}
      />
      {problem !== undefined && (
        <p>
          {t.claim.otherName} <Button class="plain-link" text={t.claim.signIn} onClick={onLeave} />
        </p>
      )}
      <Button type="submit" class="primary" isBusy={isBusy} text={t.claim.submit} />
      {isBusy && <Outcome of={work} />}
    </Form>
  );
}
