import { measureInWords } from '../../../words/in-words.ts';
import type { Account, Invitation } from '../../api/types.ts';
import type { Act } from '../../state/polled.ts';
import { mayChange, ownKey } from '../../state/rights.ts';
import { t } from '../../words/operator-texts.ts';
import { Button } from '../../ui/controls.tsx';
import { ChoiceField } from '../../ui/forms/fields.tsx';
import { openDialog } from '../../ui/overlays/dialog.tsx';
import { NumberCell, Table } from '../../ui/tables/table.tsx';
import { joined } from '../../words/formats.ts';
import { listOf, toAmountText, type Amounts } from '../../limits/amounts.ts';
import { PlanDialog, type Plan } from './plan-dialog.tsx';
import './plans.css';

/** The limits of a plan for each key, in a line: `60 requests per minute, 2,000 per day; 1M output tokens per day`. */
export const limitsOf = ({ limits }: Pick<Plan, 'limits'>): string =>
  amountsOf(limits).join('; ') || t.keys.unlimited;

/** The budgets of a plan for each account over all its keys. */
const budgetsOf = ({ account }: Plan): string => amountsOf(account).join('; ');

/** A text for each measure. */
export const amountsOf = (amounts: Amounts): string[] =>
  [...Map.groupBy(listOf(amounts), ([measure]) => measure)].map(([measure, each]) =>
    each
      .map(([, window, amount], index) => {
        const what = index > 0 ? '' : ` ${measureInWords(amount, measure)}`;
        const figure = `${toAmountText(measure, amount)}${measure === 'audio_seconds' ? '' : what}`;
        const sound = measure === 'audio_seconds' && index === 0 ? t.plans.ofAudio : '';
        return t.keys.perWindow(`${figure}${sound}`, t.plans.times[window] ?? window);
      })
      .join(', '),
  );

/** The account that every server begins with, which has no limits and keeps its name. */
export const firstAccount = 'local';

/** The plan that a new account begins with: that of a key that makes accounts of it only, or the one that most have. */
export function usualPlan(plans: readonly Plan[], accounts: readonly Account[]): string {
  const own = ownKey.value?.scopes?.find((scope) => scope.startsWith('plan:'));
  if (own !== undefined) return own.slice('plan:'.length);
  const countOf = ({ name }: Plan) =>
    accounts.filter((account) => account.plan === name && account.name !== firstAccount).length;
  return plans.toSorted((one, other) => countOf(other) - countOf(one))[0]?.name ?? '';
}

interface FieldProps {
  readonly plan: string;
  readonly plans: readonly Plan[];
  readonly onChange: (plan: string) => void;
}

/** The choice of a plan, with its limits. */
export function PlanField({ plan, plans, onChange }: FieldProps) {
  const chosen = plans.find(({ name }) => name === plan);
  return (
    <ChoiceField
      label={t.keys.plan}
      hint={chosen && t.plans.allows(limitsOf(chosen), budgetsOf(chosen))}
      value={plan}
      onChange={onChange}
      options={plans.map(({ name }) => [name, name])}
    />
  );
}

interface Props {
  readonly plans: readonly Plan[];
  readonly accounts: readonly Account[];
  /** Those that are open. */
  readonly invitations: readonly Invitation[];
  readonly act: Act;
}

/** The limits of each plan, and how many accounts are on it; those of the file are changed there, and copied here. */
export function Plans({ plans, accounts, invitations, act }: Props) {
  const usersOf = (plan: Plan) => accounts.filter(({ plan: name }) => name === plan.name);
  const edit = (plan: Plan) =>
    openDialog((close) => (
      <PlanDialog
        {...(plan.source === 'file'
          ? { plan: undefined, from: plan }
          : {
              plan,
              users: usersOf(plan).length,
              invited: invitations.filter((one) => one.plan === plan.name).length,
            })}
        plans={plans}
        act={act}
        onClose={close}
      />
    ));
  return (
    <section class="card" id="plans" aria-label={t.keys.plans}>
      <p class="quiet">{t.plans.lead}</p>
      <Table class="wraps stacks plans" titles={t.plans.columns} numbers={['used']} hasActions>
        {plans.map((plan) => (
          <PlanRow key={plan.name} plan={plan} users={usersOf(plan)} onChange={() => edit(plan)} />
        ))}
      </Table>
    </section>
  );
}

interface RowProps {
  readonly plan: Plan;
  readonly users: readonly Account[];
  readonly onChange: () => void;
}

function PlanRow({ plan, users, onChange }: RowProps) {
  const { name, source, days } = plan;
  const facts = joined(t.plans.sources[source], days !== null && t.keys.forDays(days));
  const act = source === 'file' ? t.plans.copy : t.keys.change;
  return (
    <tr data-id={name}>
      <th scope="row" class="nowrap">
        {name}
        <small>{facts}</small>
      </th>
      <td data-title={t.plans.columns.limits}>
        <Lines lines={amountsOf(plan.limits)} none={t.keys.unlimited} />
        <Lines lines={Object.entries(plan.models).map(([model, own]) => `${model}: ${limitsOf(own)}`)} />
      </td>
      <td data-title={t.plans.columns.account}>
        <Lines lines={amountsOf(plan.account)} none={t.keys.unlimited} />
      </td>
      <NumberCell
        title={t.plans.columns.used}
        value={users.length}
        more={users.map((user) => user.name).join(', ')}
      />
      <td>
        {mayChange.value && (
          <span class="row-actions">
            <Button aria-label={`${act}: ${name}`} text={act} onClick={onChange} />
          </span>
        )}
      </td>
    </tr>
  );
}

/** Each amount stays whole where its line breaks. */
const Lines = ({ lines, none }: { lines: readonly string[]; none?: string }) =>
  lines.length === 0 ? (
    <span class="quiet">{none}</span>
  ) : (
    lines.map((line) => (
      <div key={line}>
        {line.split(/(?<=[,;] )/).map((amount, index) => (
          <span key={index} class="amount">
            {amount}
          </span>
        ))}
      </div>
    ))
  );
