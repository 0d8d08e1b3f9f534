import { useState } from 'preact/hooks';
import type { CreatedInvitation, Invitation, ListOf, PlanList } from '../api/types.ts';
import { adminJson, asAdmin } from '../state/session.ts';
import { useAdmin, type Act } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Button } from '../ui/controls.tsx';
import { ChoiceField, optionsOf, TextField } from '../ui/fields.tsx';
import { AskingButton, Dialog } from '../ui/dialog.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Table } from '../ui/table.tsx';
import { toAge, toDate, toTime } from '../words.ts';
import { BudgetFields, toBudgets, type BudgetWish } from './budget-fields.tsx';
import { PlanField } from './plans.tsx';
import { LinkBox } from './secret-dialog.tsx';

const pollMs = 5000;

interface Props {
  readonly plans: PlanList['data'];
  /** Does something that changes accounts and keys too. */
  readonly act: Act;
}

/** Links by which people make their account and key themselves: made, closed, and who came by them. */
export function Invitations({ plans, act }: Props) {
  const list = useAdmin<ListOf<Invitation>>('invitations', pollMs);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<CreatedInvitation>();
  const rows = (list.value?.data ?? []).toSorted(openFirst);
  const change = async (work: Promise<unknown>) => {
    await act(work);
    list.reload();
  };
  return (
    <section class="card">
      <header>
        <h2>{t.invitations.title}</h2>
        <Button text={t.invitations.create} onClick={() => setMaking(true)} />
      </header>
      {rows.length === 0 ? (
        <p class="quiet">{t.invitations.lead}</p>
      ) : (
        <Table class="wraps stacks" titles={t.invitations.columns} hasActions>
          {rows.map((one) => (
            <InvitationRow key={one.id} invitation={one} act={change} />
          ))}
        </Table>
      )}
      {making && (
        <NewInvitation
          plans={plans}
          onClose={() => setMaking(false)}
          onMade={(invitation) => {
            setMade(invitation);
            list.reload();
          }}
        />
      )}
      {made !== undefined && (
        <Dialog title={made.name || t.invitations.title} onClose={() => setMade(undefined)} isKept>
          <p>{t.invitations.once}</p>
          <LinkBox title={t.invitations.link} link={new URL(made.path, document.baseURI).href} isOpen />
          <div class="actions">
            <Button class="primary" text={t.keys.done} onClick={() => setMade(undefined)} />
          </div>
        </Dialog>
      )}
    </section>
  );
}

const openFirst = (one: Invitation, other: Invitation) =>
  Number(other.state === 'open') - Number(one.state === 'open');

function InvitationRow({ invitation, act }: { invitation: Invitation; act: Act }) {
  const { id, state, plan, seats, claims, expires_at: expiresAt } = invitation;
  const name = invitation.name || t.keys.unnamed(toDate(invitation.created_at));
  const isOpen = state === 'open' || state === 'full';
  const close = (takesBack: boolean) =>
    void act(asAdmin(`invitations/${id}${takesBack ? '?revoke_keys=true' : ''}`, { method: 'DELETE' }));
  return (
    <tr>
      <th scope="row">
        {name}
        <small>{claims.map((claim) => claim.account_name).join(', ')}</small>
      </th>
      <td>{plan}</td>
      <td class="nowrap" data-title={t.invitations.columns.came}>
        {t.invitations.claimed(claims.length, seats)}
      </td>
      <td title={toTime(expiresAt)}>
        {state === 'open' ? t.invitations.until(toAge(expiresAt)) : t.invitations.states[state]}
      </td>
      <td>
        {(isOpen || claims.length > 0) && (
          <span class="row-actions">
            {isOpen && (
              <AskingButton
                action={t.invitations.close}
                question={t.invitations.closeQuestion}
                onConfirm={() => close(false)}
              />
            )}
            {claims.length > 0 && (
              <AskingButton
                icon="revoke"
                label={`${t.invitations.takeBack}: ${name}`}
                action={t.invitations.takeBack}
                question={t.invitations.takeBackQuestion(claims.length)}
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
      <TextField name="name" label={t.invitations.name} maxlength={100} value={name} onChange={setName} />
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
      <BudgetFields wishes={budgets} onChange={setBudgets} />
    </FormDialog>
  );
}
