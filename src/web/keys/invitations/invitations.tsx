import type { Invitation, PlanList } from '../../api/types.ts';
import type { Act } from '../../state/polled.ts';
import { t } from '../../words/operator-texts.ts';
import { Fold } from '../../ui/fold.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { isOpenInvitation } from '../parts.tsx';
import { InvitationRow } from './invitation-row.tsx';
import './invitations.css';

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
