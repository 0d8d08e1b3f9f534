import { Fragment } from 'preact';
import type { CreatedInvitation, Invitation, PlanList } from '../../api/types.ts';
import { adminJson, asAdmin } from '../../state/session.ts';
import { doHere, type Act } from '../../state/polled.ts';
import { mayChange } from '../../state/rights.ts';
import { t } from '../../words/operator-texts.ts';
import { ask } from '../../ui/overlays/ask.tsx';
import { openDialog } from '../../ui/overlays/dialog.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { toAge, toDate, toTime } from '../../words/times.ts';
import { amountsOf, limitsOf } from '../plans/plans.tsx';
import { isOpenInvitation } from '../parts.tsx';
import { RowMenu } from '../rows/row-menu.tsx';
import { told } from '../rows/told.tsx';
import { MadeDialog } from './new-invitation.tsx';

interface RowProps {
  readonly invitation: Invitation;
  /** undefined: it is gone. */
  readonly plan: PlanList['data'][number] | undefined;
  /** Does something that changes accounts and keys too. */
  readonly act: Act;
}

/** An invitation: its plan and budgets, who came by it, and until when. */
export function InvitationRow({ invitation, plan, act }: RowProps) {
  const { id, state, seats, claims, budgets, expires_at: expiresAt } = invitation;
  const name = invitation.name || t.keys.unnamed(toDate(invitation.created_at));
  return (
    <tr data-id={id}>
      <th scope="row">
        {name}
        <small class="nowrap">{t.keys.madeAt(toAge(invitation.created_at))}</small>
      </th>
      <td>
        {invitation.plan} <Allowed plan={plan} budgets={budgets} />
      </td>
      <td data-title={t.invitations.columns.came}>
        {t.invitations.claimed(claims.length, seats)}{' '}
        <small>
          {claims.map(({ key_id: key, account_name: account, claimed_at: at }, index) => (
            <Fragment key={key}>
              {index > 0 && ', '}
              <a href={`#/keys/${encodeURIComponent(account)}`} title={toTime(at)}>
                {account}
              </a>
            </Fragment>
          ))}
        </small>
      </td>
      <td class="nowrap" title={toTime(expiresAt)}>
        {state === 'open' ? t.invitations.until(toAge(expiresAt)) : t.invitations.states[state]}{' '}
        {isOpenInvitation(invitation) && <small>{toTime(expiresAt)}</small>}
      </td>
      <td>
        <Actions invitation={invitation} name={name} act={act} />
      </td>
    </tr>
  );
}

/** The acts that an invitation in this state still allows. `name`: as people read it. */
function Actions({ invitation, name, act }: Omit<RowProps, 'plan'> & { readonly name: string }) {
  const { id, state, claims } = invitation;
  const renew = async () => {
    const made = await adminJson<CreatedInvitation>(`invitations/${id}/code`, { method: 'POST' });
    openDialog((onClose) => <MadeDialog made={made} onClose={onClose} />);
  };
  const close = async (takesBack: boolean) => {
    await asAdmin(`invitations/${id}${takesBack ? '?revoke_keys=true' : ''}`, { method: 'DELETE' });
    told.value = takesBack ? t.invitations.tookBack(name, claims.length) : t.invitations.ended(name);
  };
  const item = (icon: IconName, text: string, question: string, work: () => Promise<unknown>) => ({
    icon,
    text,
    act: () => ask({ action: text, question, onConfirm: () => doHere(act, work()) }),
  });
  const {
    renew: again,
    renewQuestion,
    close: end,
    closeQuestion,
    takeBack,
    takeBackQuestion,
  } = t.invitations;
  const isOpen = state === 'open';
  if (!mayChange.value || !(isOpen || claims.length > 0)) return null;
  return (
    <span class="row-actions">
      <RowMenu
        name={name}
        items={[
          isOpen && item('again', again, renewQuestion(name), renew),
          isOpen && item('close', end, closeQuestion(name), () => close(false)),
          claims.length > 0 &&
            item('revoke', takeBack, takeBackQuestion(name, claims.length), () => close(true)),
        ]}
      />
    </span>
  );
}

/** The limits of each key, of each person and of the key that one gets, three lines each; its title has all of it. */
function Allowed({ plan, budgets }: Pick<RowProps, 'plan'> & Pick<Invitation, 'budgets'>) {
  const ofAccount = amountsOf(plan?.account ?? {});
  const ofKey = amountsOf(budgets);
  const texts = [
    plan && t.plans.ofEachKey(limitsOf(plan)),
    ofAccount.length > 0 && t.invitations.ofAccount(ofAccount.join('; ')),
    ofKey.length > 0 && t.invitations.ofFirstKey(ofKey.join('; ')),
  ];
  return texts.map(
    (text) =>
      text && (
        <small key={text} class="in-short" title={text}>
          {text}
        </small>
      ),
  );
}
