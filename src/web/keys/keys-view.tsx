import type { ComponentProps } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Account, CreatedApiKey, CreatedInvitation } from '../api/types.ts';
import { useWork, type Act } from '../state/polled.ts';
import { mayChange, mayMake } from '../state/rights.ts';
import { routeParts } from '../state/route.ts';
import { t } from '../words/operator-texts.ts';
import { Button, Problem } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { openDialog } from '../ui/overlays/dialog.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { showMade } from '../ui/tables/show-made.ts';
import { AccountDialog } from './accounts/dialogs/account-dialog.tsx';
import { Accounts } from './accounts/accounts.tsx';
import { useFolds } from './accounts/folds.ts';
import { Invitations } from './invitations/invitations.tsx';
import { MadeDialog, NewInvitation } from './invitations/new-invitation.tsx';
import { NewKeyDialog } from './accounts/dialogs/key-dialog.tsx';
import { useLists } from './lists.ts';
import { isOpenInvitation, partNames, Parts, titleOf, type Part } from './parts.tsx';
import { PlanDialog } from './plans/plan-dialog.tsx';
import { Plans, usualPlan } from './plans/plans.tsx';
import { told, ToldNote } from './rows/told.tsx';
import { SecretDialog } from './secret-dialog.tsx';

/** The things that can be made in each part, the usual one last. */
const making = { keys: ['account', 'key'], invitations: ['invitation'], plans: ['plan'] } as const;
type Thing = (typeof making)[Part][number];

const Actions = ({ part, onMake }: { part: Part; onMake: (what: Thing) => void }) =>
  (part === 'plans' ? mayChange : mayMake).value && (
    <div class="choices">
      {making[part].map((what) => (
        <Button
          key={what}
          {...(what !== 'account' && ({ class: 'primary', icon: 'plus' } as const))}
          text={t.keys.makes[what]}
          onClick={() => onMake(what)}
        />
      ))}
    </div>
  );

/** Accounts with their keys, usage within a day, and rest of limits; invitations; plans. */
export function KeysView() {
  const part = partNames.find((name) => name === routeParts.value[0]) ?? 'keys';
  const { accounts, keys, plans, invitations, usage, usageOfKeys, isReady, waits, setMade, reload } =
    useLists();
  const lookedAt = useRef<string | undefined>(undefined);
  const folds = useFolds();
  const [thing, setThing] = useState<Thing>();
  const { problem, act } = useWork(reload);
  const open = invitations.filter(isOpenInvitation);
  const shared = { accounts, plans, usual: usualPlan(plans, accounts), act };
  useEffect(() => () => void (told.value = ''), [part]);
  const show = (key: CreatedApiKey, ofOld?: string) => {
    for (const byItself of [true, false]) folds.put(key.account_id, byItself, true);
    showMade(key.id);
    openDialog((onClose) => <SecretDialog created={key} told={ofOld} onClose={onClose} />);
    reload();
  };
  const counts = { keys: accounts.length, invitations: open.length, plans: plans.length };
  return (
    <div class="page">
      <PageHeader title={titleOf(part)}>
        <Actions part={part} onMake={setThing} />
      </PageHeader>
      <Parts current={part} counts={isReady ? counts : undefined} />
      <Problem text={problem} />
      {waits !== undefined && <Progress of={waits} />}
      {isReady && (
        <>
          {part === 'keys' && (
            <Accounts
              {...{ keys, usage, usageOfKeys, lookedAt, folds }}
              onMakeKey={() => setThing('key')}
              onRotated={show}
              {...shared}
            />
          )}
          {part === 'invitations' && <Invitations list={invitations} plans={plans} act={act} />}
          {part === 'plans' && <Plans invitations={open} {...shared} />}
          {thing !== undefined && (
            <Making
              what={thing}
              lookedAt={lookedAt}
              onAccount={setMade}
              onCreated={show}
              onEnd={reload}
              onClose={() => setThing(undefined)}
              {...shared}
            />
          )}
        </>
      )}
      <ToldNote />
    </div>
  );
}

type MakingProps = ComponentProps<typeof NewKeyDialog> & {
  readonly what: Thing;
  readonly act: Act;
  readonly onAccount: (made: Account) => void;
  readonly onEnd: () => void;
};

function Making({ what, act, onAccount, onEnd, ...shared }: MakingProps) {
  if (what === 'key') return <NewKeyDialog {...shared} />;
  if (what === 'account')
    return <AccountDialog account={undefined} act={act} onMade={onAccount} {...shared} />;
  if (what === 'plan') return <PlanDialog plan={undefined} act={act} {...shared} />;
  const show = (made: CreatedInvitation) => {
    showMade(made.id);
    openDialog((close) => <MadeDialog made={made} onClose={close} />);
    onEnd();
  };
  return <NewInvitation onMade={show} {...shared} />;
}
