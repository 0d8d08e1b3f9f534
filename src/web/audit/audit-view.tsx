import { useState } from 'preact/hooks';
import type { Account, ApiKey, AuditList, Invitation, ListOf } from '../api/types.ts';
import { adminJson } from '../state/session.ts';
import { useAdmin, useWork } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Button, Problem, Progress } from '../ui/controls.tsx';
import { RowFilter, useFilter } from '../ui/row-filter.tsx';
import { saveFile } from '../ui/save-file.ts';
import { InnerTable, Table } from '../ui/table.tsx';
import { joined, toAge, toTime } from '../words.ts';

type Entry = AuditList['data'][number];

const mostAtOnce = 1000;

/** What was done of administration: the newest acts, older ones when they are asked for, and all of them as a file. */
export function AuditView() {
  const newest = useAdmin<AuditList>('audit');
  const [older, setOlder] = useState<readonly AuditList[]>([]);
  const { problem, isBusy, act } = useWork();
  const nameOf = useNames();
  const lists = newest.value === undefined ? [] : [newest.value, ...older];
  const entries = lists.flatMap(({ data }) => data);
  const { shown, filter } = useFilter(entries, (entry) =>
    joined(nameOf(entry.actor), entry.origin, entry.act, nameOf(entry.subject), JSON.stringify(entry)),
  );
  const more = async () => {
    const next = await adminJson<AuditList>(`audit?before=${entries.at(-1)?.id}`);
    setOlder([...older, next]);
  };
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.audit.title}</h1>
        <div class="choices">
          <Button icon="save" text={t.audit.save} disabled={isBusy} onClick={() => void act(saveAll())} />
        </div>
      </header>
      <Problem text={problem} />
      <Progress of={newest} />
      {newest.value !== undefined && (
        <section class="card">
          <RowFilter filter={filter} count={entries.length} />
          {entries.length === 0 ? (
            <p class="quiet">{t.audit.nothing}</p>
          ) : (
            <Table class="wraps stacks" titles={t.audit.columns}>
              {shown.map((entry) => (
                <EntryRow key={entry.id} entry={entry} nameOf={nameOf} />
              ))}
            </Table>
          )}
          {lists.at(-1)?.has_more === true && (
            <div class="actions">
              <Button text={t.audit.older} disabled={isBusy} onClick={() => void act(more())} />
            </div>
          )}
        </section>
      )}
    </div>
  );
}

/** What people call the account or key of an id; other texts stay as they are. */
function useNames(): (id: string) => string {
  const keys = useAdmin<ListOf<ApiKey>>('keys');
  const accounts = useAdmin<ListOf<Account>>('accounts');
  const invitations = useAdmin<ListOf<Invitation>>('invitations');
  const names = new Map([
    ...[...(accounts.value?.data ?? []), ...(invitations.value?.data ?? [])].map(
      ({ id, name }) => [id, name || id] as const,
    ),
    ...(keys.value?.data ?? []).map(
      (key) => [key.id, joined(key.name || key.redacted_value, key.account_name)] as const,
    ),
  ]);
  return (id) => names.get(id) ?? id;
}

function EntryRow({ entry, nameOf }: { entry: Entry; nameOf: (id: string) => string }) {
  const [isOpen, setOpen] = useState(false);
  const { at, actor, origin, act, subject } = entry;
  return (
    <>
      <tr>
        <th scope="row">
          <Button class="plain" aria-expanded={isOpen} text={act} onClick={() => setOpen(!isOpen)} />
        </th>
        <td>{nameOf(subject)}</td>
        <td>{nameOf(actor)}</td>
        <td>{origin}</td>
        <td title={toTime(at)}>{toAge(at)}</td>
      </tr>
      {isOpen && (
        <tr>
          <td colspan={Object.keys(t.audit.columns).length} class="details">
            <p class="facts">{joined(toTime(at), subject, actor)}</p>
            <Changes before={entry.before} after={entry.after} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Each field that an act changed, as it was and as it became. */
function Changes({ before, after }: Pick<Entry, 'before' | 'after'>) {
  const [old, changed] = [fieldsOf(before), fieldsOf(after)];
  const names = [...new Set([...old.keys(), ...changed.keys()])];
  if (names.length === 0) return null;
  return (
    <InnerTable class="wraps" titles={t.audit.changes}>
      {names.map((name) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {[old, changed].map((fields, index) => (
            <td key={index}>{fields.has(name) ? JSON.stringify(fields.get(name)) : '–'}</td>
          ))}
        </tr>
      ))}
    </InnerTable>
  );
}

const fieldsOf = (value: unknown): ReadonlyMap<string, unknown> =>
  new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);

/** Saves the whole log, an act in each line, the newest first. */
async function saveAll(): Promise<void> {
  const lines: string[] = [];
  let before = '';
  for (let isMore = true; isMore;) {
    const list = await adminJson<AuditList>(`audit?limit=${mostAtOnce}${before}`);
    lines.push(...list.data.map((entry) => `${JSON.stringify(entry)}\n`));
    before = `&before=${list.data.at(-1)?.id}`;
    isMore = list.has_more;
  }
  saveFile('hearth-audit.jsonl', new Blob(lines, { type: 'application/jsonl' }));
}
