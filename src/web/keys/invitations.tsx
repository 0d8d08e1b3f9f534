import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { CreatedInvitation, Invitation, PlanList } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { doHere, type Act } from '../state/polled.ts';
import { mayChange } from '../state/rights.ts';
import { t } from '../words/operator-texts.ts';
import { ChoiceField, optionsOf, TextField } from '../ui/forms/fields.tsx';
import { AskingButton } from '../ui/dialog.tsx';
import { Fold } from '../ui/fold.tsx';
import { FormDialog } from '../ui/forms/form-dialog.tsx';
import { Table } from '../ui/tables/table.tsx';
import { toAge, toDate, toTime } from '../words/times.ts';
import { BudgetFields, toBudgets, type BudgetWish } from '../limits/budget-fields.tsx';
import { amountsOf, limitsOf, PlanField } from './plans/plans.tsx';
import { LinkBox, OnceDialog } from './secret-dialog.tsx';
import { NameField } from './name-field.tsx';
import { isOpenInvitation } from './parts.tsx';

interface Props {
  readonly list: readonly Invitation[];
  readonly plans: PlanList['data'];
  /** Does something that changes accounts and keys too. */
  readonly act: Act;
}

/** Links by which people make their account and key themselves: closed, and who came by them. */
export function Invitations({ list, plans, act }: Props) {
  const [open = [], closed = []] = [true, false].map((isWanted) =>
    list.filter((one) => isOpenInvitation(one) === isWanted),
  );
  const tableOf = (rows: readonly Invitation[]) => (
    <Table class="wraps stacks invitations" titles={t.invitations.columns} hasActions>
      {rows.map((one) => (
        <InvitationRow
          key={one.id}
          invitation={one}
          plan={plans.find(({ name }) => name === one.plan)}
          act={act}
        />
      ))}
    </Table>
  );
  return (
    <section class="card" id="invitations" aria-label={t.invitations.title}>
      {open.length === 0 ? (
        <>
          <h2>{t.invitations.none}</h2>
          <p class="quiet">{t.invitations.lead}</p>
        </>
      ) : (
        tableOf(open)
      )}
      {closed.length > 0 && <Fold title={t.invitations.closed(closed.length)}>{tableOf(closed)}</Fold>}
    </section>
  );
}

/** The link of a new invitation, once. */
export const MadeDialog = ({ made, onClose }: { made: CreatedInvitation; onClose: () => void }) => (
  <OnceDialog title={made.name || t.invitations.made} what="link" onClose={onClose}>
    <p>{t.invitations.once}</p>
    <p>{t.invitations.link}</p>
    <LinkBox link={new URL(made.path, document.baseURI).href} isMain />
  </OnceDialog>
);

interface RowProps {
  readonly invitation: Invitation;
  /** undefined: it is gone. */
  readonly plan: PlanList['data'][number] | undefined;
  readonly act: Act;
}

function InvitationRow({ invitation, plan, act }: RowProps) {
  const { id, state, seats, claims, budgets, expires_at: expiresAt } = invitation;
  const name = invitation.name || t.keys.unnamed(toDate(invitation.created_at));
  const close = (takesBack: boolean) =>
    doHere(act, asAdmin(`invitations/${id}${takesBack ? '?revoke_keys=true' : ''}`, { method: 'DELETE' }));
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
        {mayChange.value && (state === 'open' || claims.length > 0) && (
          <span class="row-actions">
            {state === 'open' && (
              <AskingButton
                action={t.invitations.close}
                question={t.invitations.closeQuestion(name)}
                onConfirm={() => close(false)}
              />
            )}
            {claims.length > 0 && (
              <AskingButton
                class="failed"
                action={t.invitations.takeBack}
                question={t.invitations.takeBackQuestion(name, claims.length)}
                onConfirm={() => close(true)}
              />
            )}
          </span>
        )}
      </td>
    </tr>
  );
}

/** The limits of each key and of each person, three lines for either; its title has all of it. */
function Allowed({ plan, budgets }: Pick<RowProps, 'plan'> & Pick<Invitation, 'budgets'>) {
  const each = [plan?.account ?? {}, budgets].flatMap(amountsOf);
  const texts = [
    plan && t.plans.ofEachKey(limitsOf(plan)),
    each.length > 0 && t.invitations.ofEach(each.join('; ')),
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

interface NewProps {
  readonly plans: PlanList['data'];
  /** The plan of those who come, unless another is chosen. */
  readonly usual: string;
  readonly onMade: (invitation: CreatedInvitation) => void;
  readonly onClose: () => void;
}

export function NewInvitation({ plans, usual, onMade, onClose }: NewProps) {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState(usual);
  const [seats, setSeats] = useState('10');
  const [lasts, setLasts] = useState<keyof typeof t.invitations.times>('7d');
  const [budgets, setBudgets] = useState<readonly BudgetWish[]>([]);
  const make = async () => {
    const body = { name, plan, seats: Number(seats), expires_in: lasts, budgets: toBudgets(budgets) };
    onMade(await adminJson<CreatedInvitation>('invitations', { method: 'POST', body }));
  };
  return (
    <FormDialog title={t.keys.makes.invitation} action={t.invitations.make} work={make} onClose={onClose}>
      <NameField label={t.invitations.name} value={name} onChange={setName} required />
      <div class="columns">
        <TextField
          name="seats"
          label={t.invitations.seats}
          type="number"
          min={1}
          required
          value={seats}
          onChange={setSeats}
        />
        <ChoiceField
          label={t.invitations.lasts}
          value={lasts}
          onChange={setLasts}
          options={optionsOf(t.invitations.times)}
        />
      </div>
      <PlanField plan={plan} plans={plans} onChange={setPlan} />
      <BudgetFields wishes={budgets} onChange={setBudgets} lead={t.invitations.ofEachKey} />
    </FormDialog>
  );
}
