import { useState } from 'preact/hooks';
import { inWords } from '../../words/in-words.ts';
import type { AccountBatch, ListOf } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { useAdmin } from '../state/asked.ts';
import { doHere, useWork, type Act } from '../state/polled.ts';
import { mayChange } from '../state/rights.ts';
import { asAdmin, canChat } from '../state/session.ts';
import { Button, Problem, Progress } from '../ui/controls.tsx';
import { AskingButton } from '../ui/dialog.tsx';
import { RowFilter, useFilter } from '../ui/tables/row-filter.tsx';
import { NumberCell, orderedBy, Table, useSort } from '../ui/tables/table.tsx';
import { toAge, toClock, toExactTime } from '../words/times.ts';
import { joined } from '../words/formats.ts';
import { Details, isRunning, stateOf, toneOf } from './batch-row.tsx';
import './batches.css';

const pollMs = 2000;
const mostShown = 100;

const nameOf = ({ metadata, model, input_file_name: file }: AccountBatch) =>
  metadata?.['name'] ?? file ?? model ?? t.batches.severalModels;

const failuresOf = ({ failures }: AccountBatch) =>
  Object.entries(failures)
    .toSorted(([, one], [, other]) => other - one)
    .map(([code, lines]) => t.batches.failedBy(lines, inWords(code)));

type Column = keyof typeof t.batches.columns;
const amounts: readonly Column[] = ['lines', 'failed'];

const toSortBy: Readonly<Record<Column, (batch: AccountBatch) => string>> = {
  account: ({ account_name: name }) => name,
  name: nameOf,
  state: stateOf,
  lines: ({ request_counts: { completed } }) => String(completed),
  failed: ({ request_counts: { failed } }) => String(failed),
  sent: ({ created_at: at }) => String(at),
};

/** The batches of all accounts, which an operator may stop. */
export function AllBatches() {
  const batches = useAdmin<ListOf<AccountBatch>>(`batches?limit=${mostShown}`, pollMs);
  const { problem, act } = useWork(batches.reload);
  const all = batches.value?.data ?? [];
  const { shown, filter } = useFilter(all, (batch) =>
    joined(batch.account_name, nameOf(batch), batch.model, batch.id, stateOf(batch)),
  );
  const sort = useSort<Column>('sent', [...amounts, 'sent'], t.batches.columns);
  const Title = canChat.value ? 'h2' : 'h1';
  return (
    <div class="page">
      <header>
        <Title>{t.batches.all}</Title>
        <p class="lead">{t.batches.allLead}</p>
      </header>
      <Problem text={problem} />
      <Progress of={batches} />
      {batches.value !== undefined && (
        <section class="card">
          <RowFilter filter={filter} count={all.length} />
          {shown.length === 0 ? (
            <p class="quiet">{all.length === 0 ? t.batches.noneOfAll : t.noMatch}</p>
          ) : (
            <Table
              class="wraps stacks all-batches"
              titles={t.batches.columns}
              numbers={amounts}
              sort={sort}
              hasActions
            >
              {shown.toSorted(orderedBy(sort, toSortBy[sort.by])).map((batch) => (
                <Row key={batch.id} batch={batch} act={act} />
              ))}
            </Table>
          )}
        </section>
      )}
    </div>
  );
}

function Row({ batch, act }: { batch: AccountBatch; act: Act }) {
  const { id, account_name: account, model, request_counts: counts, created_at: sentAt } = batch;
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(batch);
  return (
    <>
      <tr>
        <th scope="row">
          <a href={`#/keys/${encodeURIComponent(account)}`}>{account}</a>
        </th>
        <td>
          <Button class="plain" aria-expanded={isOpen} text={name} onClick={() => setOpen(!isOpen)} />{' '}
          {model !== name && <small>{model ?? t.batches.severalModels}</small>}
        </td>
        <td>
          <span class={`state ${toneOf(batch)}`} title={batch.hearth?.waiting_for}>
            {stateOf(batch)}
          </span>{' '}
          <small>{failuresOf(batch).join('; ')}</small>
        </td>
        <td class="number" data-title={t.batches.columns.lines}>
          {t.batches.done(counts.completed, counts.total)}
        </td>
        <NumberCell title={t.batches.columns.failed} value={counts.failed} />
        <td class="nowrap" title={toExactTime(sentAt)}>
          {toAge(sentAt)} <small>{toClock(sentAt)}</small>
        </td>
        <td>
          {isRunning(batch) && mayChange.value && (
            <AskingButton
              action={t.batches.cancel}
              question={t.batches.cancelQuestion(t.batches.ofAccount(account))}
              onConfirm={() => doHere(act, asAdmin(`batches/${id}/cancel`, { method: 'POST' }))}
            />
          )}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colspan={Object.keys(t.batches.columns).length + 1} class="details">
            <Details batch={batch} isOwn={false} file={batch.input_file_name} />
          </td>
        </tr>
      )}
    </>
  );
}
