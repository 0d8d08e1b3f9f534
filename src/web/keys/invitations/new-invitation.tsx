import { useState } from 'preact/hooks';
import { mostSeats } from '../../../bounds.ts';
import type { CreatedInvitation, PlanList } from '../../api/types.ts';
import { adminJson } from '../../state/session.ts';
import { t } from '../../words/operator-texts.ts';
import { ChoiceField, optionsOf, TextField } from '../../ui/forms/fields.tsx';
import { FormDialog } from '../../ui/forms/form-dialog.tsx';
import { BudgetFields, toBudgets, type BudgetWish } from '../../limits/budget-fields.tsx';
import { PlanField } from '../plans/plans.tsx';
import { LinkBox, OnceDialog } from '../secret-dialog.tsx';
import { NameField } from '../name-field.tsx';

/** A new link of an invitation, once. */
export const MadeDialog = ({ made, onClose }: { made: CreatedInvitation; onClose: () => void }) => (
  <OnceDialog title={made.name || t.invitations.made} what="link" onClose={onClose}>
    <p>{t.invitations.once}</p>
    <p>{t.invitations.link}</p>
    <LinkBox link={new URL(made.path, document.baseURI).href} isMain />
  </OnceDialog>
);

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
          max={mostSeats}
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
