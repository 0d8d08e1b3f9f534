import { useEffect, useState } from 'preact/hooks';
import type { CreatedInvitation, Invitation, ListOf, PlanList } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { doHere, useAdmin, type Act } from '../state/polled.ts';
import { mayChange, mayMake } from '../state/rights.ts';
import { routeParts } from '../state/route.ts';
import { t } from '../operator-texts.ts';
import { Button } from '../ui/controls.tsx';
import { ChoiceField, optionsOf, TextField } from '../ui/fields.tsx';
import { AskingButton, Dialog, openDialog } from '../ui/dialog.tsx';
import { Fold } from '../ui/fold.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { showMade } from '../ui/show-made.ts';
import { Table } from '../ui/table.tsx';
import { toAge, toDate, toTime } from '../times.ts';
import { BudgetFields, toBudgets, type BudgetWish } from './budget-fields.tsx';
import { amountsOf, PlanField } from './plans.tsx';
import { LinkBox } from './secret-dialog.tsx';
import { NameField } from './name-field.tsx';

const pollMs = 5000;

interface Props {
  readonly plans: PlanList['data'];
  /** Does something that changes accounts and keys too. */
  readonly act: Act;
}

/** Links by which people make their account and key themselves: made, closed, and who came by them. */
export function Invitations({ plans, act }: Props) {
  const list = useAdmin<ListOf<Invitation>>('invitations', pollMs);
  // Plans, below them, and invitations have addresses of their own.
  const [part = ''] = routeParts.value;
  useEffect(() => document.getElementById(part)?.scrollIntoView(), [part, list.value === undefined]);
  const [open = [], closed = []] = [true, false].map((isWanted) =>
    list.value?.data.filter((one) => isOpen(one) === isWanted),
  );
  const change = async (work: Promise<unknown>) => {
    await act(work);
    list.reload();
  };
  const show = (made: CreatedInvitation) => {
    list.reload();
    showMade(made.id);
    openDialog((close) => <MadeDialog made={made} onClose={close} />);
  };
  const make = () => openDialog((close) => <NewInvitation plans={plans} onMade={show} onClose={close} />);
  const tableOf = (rows: readonly Invitation[]) => (
    <Table class="wraps stacks" titles={t.invitations.columns} hasActions>
      {rows.map((one) => (
        <InvitationRow key={one.id} invitation={one} act={change} />
      ))}
    </Table>
  );
  return (
    <section class="card" id="invitations">
      <header>
        <h2>{t.invitations.title}</h2>
        {mayMake.value && <Button text={t.invitations.create} onClick={make} />}
      </header>
      {open.length === 0 ? <p class="quiet">{t.invitations.lead}</p> : tableOf(open)}
      {closed.length > 0 && <Fold title={t.invitations.closed(closed.length)}>{tableOf(closed)}</Fold>}
    </section>
  );
}

/** The link of a new invitation, once. */
const MadeDialog = ({ made, onClose }: { made: CreatedInvitation; onClose: () => void }) => (
  <Dialog
    title={made.name || t.invitations.made}
    onClose={onClose}
    isKept
    actions={<Button class="primary" text={t.keys.done} onClick={onClose} />}
  >
    <p>{t.invitations.once}</p>
    <LinkBox title={t.invitations.link} link={new URL(made.path, document.baseURI).href} isOpen />
  </Dialog>
);

/** Whether its time is not over, and nobody closed it. */
const isOpen = ({ state }: Invitation) => state === 'open' || state === 'full';

function InvitationRow({ invitation, act }: { invitation: Invitation; act: Act }) {
  const { id, state, plan, seats, claims, budgets, expires_at: expiresAt } = invitation;
  const name = invitation.name || t.keys.unnamed(toDate(invitation.created_at));
  const close = (takesBack: boolean) =>
    doHere(act, asAdmin(`invitations/${id}${takesBack ? '?revoke_keys=true' : ''}`, { method: 'DELETE' }));
  return (
    <tr data-id={id}>
      <th scope="row">
        {name}
        <small>{claims.map((claim) => claim.account_name).join(', ')}</small>
      </th>
      <td>
        {plan} <small>{amountsOf(budgets).map(t.invitations.ofEach).join('; ')}</small>
      </td>
      <td class="nowrap" data-title={t.invitations.columns.came}>
        {t.invitations.claimed(claims.length, seats)}
      </td>
      <td title={toTime(expiresAt)}>
        {state === 'open' ? t.invitations.until(toAge(expiresAt)) : t.invitations.states[state]}
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

interface NewProps {
  readonly plans: PlanList['data'];
  readonly onMade: (invitation: CreatedInvitation) => void;
  readonly onClose: () => void;
}

function NewInvitation({ plans, onMade, onClose }: NewProps) {
  const [name, setName] = useState('');
  const [plan, setPlan] = useState(plans[0]?.name ?? '');
  const [seats, setSeats] = useState('1');
  const [lasts, setLasts] = useState<keyof typeof t.invitations.times>('7d');
  const [budgets, setBudgets] = useState<readonly BudgetWish[]>([]);
  const make = async () => {
    const body = { name, plan, seats: Number(seats), expires_in: lasts, budgets: toBudgets(budgets) };
    onMade(await adminJson<CreatedInvitation>('invitations', { method: 'POST', body }));
  };
  return (
    <FormDialog title={t.invitations.create} action={t.invitations.make} work={make} onClose={onClose}>
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
