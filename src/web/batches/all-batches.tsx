import { useState } from 'preact/hooks';
import { inWords } from '../../words/in-words.ts';
import type { AccountBatch, Batch, ListOf } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { useAdmin } from '../state/asked.ts';
import { doHere, useWork, type Act } from '../state/polled.ts';
import { mayChange } from '../state/rights.ts';
import { asAdmin, canChat } from '../state/session.ts';
import { Button, Problem } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { AskingButton } from '../ui/overlays/ask.tsx';
import { Choice } from '../ui/forms/fields.tsx';
import { NoMatch } from '../ui/tables/no-match.tsx';
import { RowFilter, useFilter } from '../ui/tables/row-filter.tsx';
import { orderedBy, Table, useSort } from '../ui/tables/table.tsx';
import { toAge, toExactTime } from '../words/times.ts';
import { joined } from '../words/formats.ts';
import { Details, isRunning, stateOf, timeOf, toneOf, useSecondsLeft } from './batch-row.tsx';
import { WaitReason } from './wait-reason.tsx';
import { LineBar } from './line-bar.tsx';
import './batches.css';

const pollMs = 2000;
export const mostShown = 100;

const nameOf = ({ metadata, model, input_file_name: file }: AccountBatch) =>
  metadata?.['name'] ?? file ?? model ?? t.batches.severalModels;

/** Why it was refused, or lacks answers, the most frequent reason first. */
const reasonsOf = ({ failures, errors, missing_models: missing }: AccountBatch) => [
  ...(errors?.data.map(({ message }) => message) ?? []),
  ...Object.entries(failures)
    .toSorted(([, one], [, other]) => other - one)
    .map(([code, lines]) =>
      t.batches.failedBy(lines, inWords(code), code === 'model_not_found' ? missing : undefined),
    ),
];

type Column = keyof typeof t.batches.columns;
/** The largest first. */
const downFirst: readonly Column[] = ['lines', 'sent'];

const toSortBy: Readonly<Record<Column, (batch: AccountBatch) => string>> = {
  name: nameOf,
  account: ({ account_name: account }) => account,
  state: stateOf,
  lines: ({ request_counts: { completed } }) => String(completed),
  sent: ({ created_at: at }) => String(at),
};

/** The batches of all accounts but the `own`, which stand above with all that can be done with them. An operator may stop them. */
export function AllBatches({ own }: { own: readonly Batch[] }) {
  const batches = useAdmin<ListOf<AccountBatch>>(`batches?limit=${mostShown}`, pollMs);
  const { problem, act } = useWork(batches.reload);
  const ownIds = new Set(own.map(({ id }) => id));
  const all = (batches.value?.data ?? []).filter(({ id }) => !ownIds.has(id));
  const { shown: found, filter } = useFilter(all, (batch) =>
    joined(batch.account_name, nameOf(batch), batch.model, batch.id, stateOf(batch)),
  );
  const { shown, choice, setState } = useStates(all, found);
  const sort = useSort<Column>('sent', downFirst, t.batches.columns);
  const Title = canChat.value ? 'h2' : 'h1';
  return (
    <div class="page">
      <header>
        <Title>{canChat.value ? t.batches.others : t.batches.all}</Title>
        <p class="lead">{t.batches.allLead}</p>
      </header>
      <Problem text={problem} />
      <Progress of={batches} />
      {batches.value !== undefined && (
        <section class="card">
          <div class="choices">
            <RowFilter filter={filter} count={all.length} />
            {choice}
          </div>
          {shown.length === 0 ? (
            <Nothing
              isOfAll={all.length === 0}
              onClear={() => {
                filter.set('');
                setState('');
              }}
            />
          ) : (
            <Table class="wraps stacks all-batches" titles={t.batches.columns} sort={sort} hasActions>
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

const Nothing = ({ isOfAll, onClear }: { isOfAll: boolean; onClear: () => void }) =>
  isOfAll ? (
    <>
      <h2>{canChat.value ? t.batches.noneOfOthers : t.batches.noneOfAll}</h2>
      <p class="quiet">
        {t.batches.firstOfAll} <a href="docs/batches">{t.batches.howTo}</a>
      </p>
    </>
  ) : (
    <NoMatch onClear={onClear} />
  );

/** Those of the `found` that are in the state that is chosen, and its choice where batches are in more than one. */
function useStates(all: readonly AccountBatch[], found: readonly AccountBatch[]) {
  const [wanted, setWanted] = useState('');
  const states = Map.groupBy(all, stateOf);
  // One that no batch is in any more hides none.
  const state = states.has(wanted) ? wanted : '';
  const options = [...states].map(([name, { length }]) => [name, `${name} (${length})`] as const);
  return {
    setState: setWanted,
    shown: found.filter((batch) => state === '' || stateOf(batch) === state),
    choice: states.size > 1 && (
      <Choice
        label={t.batches.columns.state}
        value={state}
        onChange={setWanted}
        options={[['', t.batches.allStates(all.length)], ...options]}
      />
    ),
  };
}

/** How it stands, and with `reasons` why, in short. */
function State({ batch, left, reasons }: { batch: AccountBatch; left: number | undefined; reasons: string }) {
  return (
    <>
      <span class={`state ${toneOf(batch)}`}>{stateOf(batch)}</span> <WaitReason batch={batch} left={left} />
      {reasons !== '' && (
        <small class="in-short" title={reasons}>
          {reasons}
        </small>
      )}
    </>
  );
}

function Row({ batch, act }: { batch: AccountBatch; act: Act }) {
  const { id, account_name: account, model, created_at: sentAt } = batch;
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(batch);
  const reasons = reasonsOf(batch).join('; ');
  const left = useSecondsLeft(batch);
  return (
    <>
      <tr class={isOpen ? 'opened' : undefined}>
        <th scope="row">
          <Button class="plain" aria-expanded={isOpen} text={name} onClick={() => setOpen(!isOpen)} />{' '}
          {model !== name && <small>{model ?? t.batches.severalModels}</small>}
        </th>
        <td data-title={t.batches.columns.account}>
          <a href={`#/keys/${encodeURIComponent(account)}`}>{account}</a>
        </td>
        <td>
          <State batch={batch} left={left} reasons={isOpen ? '' : reasons} />
        </td>
        <td>
          <LineBar batch={batch} />
        </td>
        <td class="nowrap" title={toExactTime(sentAt)}>
          {toAge(sentAt)} <small>{timeOf(batch)}</small>
        </td>
        <td>
          {isRunning(batch) && mayChange.value && (
            <span class="row-actions">
              <AskingButton
                action={t.batches.cancel}
                question={t.batches.cancelQuestion(t.batches.ofAccount(name, account))}
                onConfirm={() => doHere(act, asAdmin(`batches/${id}/cancel`, { method: 'POST' }))}
              />
            </span>
          )}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colspan={Object.keys(t.batches.columns).length + 1} class="details">
            {reasons !== '' && <p>{reasons}</p>}
            <Details
              batch={batch}
              isOwn={false}
              file={batch.input_file_name === name ? null : batch.input_file_name}
            />
          </td>
        </tr>
      )}
    </>
  );
}
