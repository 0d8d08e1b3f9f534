import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type {
  Account,
  ApiKey,
  AuditList,
  Invitation,
  ListOf,
  ModelStatusList,
  PlanList,
} from '../api/types.ts';
import { adminJson } from '../state/session.ts';
import { useAdmin } from '../state/asked.ts';
import { useWork } from '../state/polled.ts';
import { t } from '../words/operator-texts.ts';
import { Button, Problem } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { Choice, optionsOf } from '../ui/forms/fields.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { NoMatch } from '../ui/tables/no-match.tsx';
import { hasWord, RowFilter, useFilter } from '../ui/tables/row-filter.tsx';
import { isOpenInvitation, Parts } from '../keys/parts.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Table } from '../ui/tables/table.tsx';
import { toClock, toDate, toDay, toTime } from '../words/times.ts';
import { joined, nameOfKey } from '../words/formats.ts';
import { Changes, fieldsOf } from './changes.tsx';
import './audit.css';

type Entry = AuditList['data'][number];

const mostAtOnce = 1000;

/** The kind of what an act was done to, such as `key`. */
const kindOf = (act: string): string => act.split('.', 1)[0] ?? '';

/** What was done of administration: the newest acts, older ones when they are asked for, and all of them as a file. */
export function AuditView() {
  const newest = useAdmin<AuditList>('audit');
  const [older, setOlder] = useState<readonly AuditList[]>([]);
  const [kind, setKind] = useState<keyof typeof t.audit.kinds>('');
  const { problem, isBusy, act } = useWork();
  const { names, counts } = useThings();
  const lists = newest.value === undefined ? [] : [newest.value, ...older];
  const entries = lists.flatMap(({ data }) => data);
  const {
    shown: found,
    words,
    filter,
  } = useFilter(entries, (entry) => `${inSight(names, entry)} ${JSON.stringify(entry)}`);
  const shown = found.filter((entry) => kind === '' || kindOf(entry.act) === kind);
  const more = async () => {
    const next = await adminJson<AuditList>(`audit?before=${entries.at(-1)?.id}`);
    setOlder([...older, next]);
  };
  return (
    <div class="page">
      <PageHeader title={t.views.audit}>
        <Button icon="save" text={t.audit.save} disabled={isBusy} onClick={() => void act(saveAll())} />
      </PageHeader>
      <Parts current="audit" counts={counts} />
      <Problem text={problem} />
      <Progress of={newest} />
      {newest.value !== undefined && (
        <section class="card">
          <div class="choices">
            <RowFilter filter={filter} count={entries.length} />
            <Choice label={t.audit.kind} value={kind} onChange={setKind} options={optionsOf(t.audit.kinds)} />
          </div>
          {shown.length === 0 ? (
            <Nothing
              isOfAll={entries.length === 0}
              onClear={() => {
                filter.set('');
                setKind('');
              }}
            />
          ) : (
            <Acts entries={shown} names={names} words={words} />
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

const Nothing = ({ isOfAll, onClear }: { isOfAll: boolean; onClear: () => void }) =>
  isOfAll ? (
    <>
      <h2>{t.audit.nothing}</h2>
      <p class="quiet">{t.audit.first}</p>
    </>
  ) : (
    <NoMatch onClear={onClear} />
  );

type Names = ReadonlyMap<string, string>;

interface ActsProps {
  readonly entries: readonly Entry[];
  readonly names: Names;
  /** The words of the filter. */
  readonly words: readonly string[];
}

const Acts = ({ entries, names, words }: ActsProps) => (
  <Table class="wraps stacks acts" titles={t.audit.columns}>
    {[...Map.groupBy(entries, ({ at }) => toDay(at))].map(([day, ofDay]) => (
      <Fragment key={day}>
        <tr class="day">
          <th scope="rowgroup" colspan={Object.keys(t.audit.columns).length}>
            {day}
          </th>
        </tr>
        {ofDay.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            names={names}
            isFoundWithin={words.some((word) => !hasWord(inSight(names, entry), word))}
          />
        ))}
      </Fragment>
    ))}
  </Table>
);

/** The names of all present accounts, keys, invitations, plans and models, by their ids, and how many the parts have. */
function useThings() {
  const keys = useAdmin<ListOf<ApiKey>>('keys');
  const accounts = useAdmin<ListOf<Account>>('accounts');
  const invitations = useAdmin<ListOf<Invitation>>('invitations');
  const models = useAdmin<ModelStatusList>('models');
  const plans = useAdmin<PlanList>('plans');
  const names: Names = new Map([
    ...(accounts.value?.data ?? []).map(({ id, name }) => [id, name] as const),
    ...(invitations.value?.data ?? []).map(
      ({ id, name, created_at: at }) => [id, name || t.keys.unnamed(toDate(at))] as const,
    ),
    ...(plans.value?.data ?? []).map(({ name }) => [name, name] as const),
    ...(keys.value?.data ?? []).map((key) => [key.id, nameOfKey(key)] as const),
    ...(models.value?.data ?? []).map(({ id }) => [id, id] as const),
  ]);
  const counts = {
    keys: accounts.value?.data.length ?? 0,
    invitations: invitations.value?.data.filter(isOpenInvitation).length ?? 0,
    plans: plans.value?.data.length ?? 0,
  };
  return { names, counts };
}

interface RowProps {
  readonly entry: Entry;
  readonly names: Names;
  /** Whether the filter has found it by words of its folded details. */
  readonly isFoundWithin: boolean;
}

/** An act: what was done to which thing, which it leads to where that is still there, and by whom. */
function EntryRow({ entry, names, isFoundWithin }: RowProps) {
  const [turned, setTurned] = useState(false);
  const isOpen = turned !== isFoundWithin;
  const { at, actor, origin, act, subject, before, after } = entry;
  const thing = nameIn(names, entry);
  const place = placeOf(entry, names);
  return (
    <>
      <tr>
        <th scope="row">
          <Button
            class="plain"
            aria-expanded={isOpen}
            text={wordsOf(act)}
            onClick={() => setTurned(!turned)}
          />{' '}
          {place === undefined ? <b>{thing}</b> : <a href={place}>{thing}</a>}
        </th>
        <td data-title={t.audit.columns.actor}>{doerIn(names, entry)}</td>
        <td data-title={t.audit.columns.origin}>{origin}</td>
        <td class="nowrap" title={toTime(at)}>
          {toClock(at)}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colspan={Object.keys(t.audit.columns).length} class="details">
            <p class="facts">{joined(toTime(at), subject, actor)}</p>
            <Changes before={before} after={after} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The words of an act that is folded. */
const inSight = (names: Names, entry: Entry): string =>
  [doerIn(names, entry), wordsOf(entry.act), nameIn(names, entry), entry.origin].join(' ');

function doerIn(names: Names, { actor }: Entry): string {
  const name = names.get(actor) ?? t.audit.actors[actor] ?? actor;
  return actor.startsWith('inv_') ? t.audit.byInvitation(name) : name;
}

/** An act that has no words is told as it is. */
const wordsOf = (act: string): string => t.audit.acts[act] ?? act;

/** What is no longer there has the name that the act tells. */
function nameIn(names: Names, { subject, before, after }: Entry): string {
  const told = fieldsOf(after).get('name') ?? fieldsOf(before).get('name');
  return names.get(subject) ?? (typeof told === 'string' && told !== '' ? told : subject);
}

/** Where the page shows the subject of an act; undefined: nowhere, or no longer. */
function placeOf({ act, subject }: Entry, names: Names): string | undefined {
  const kind = kindOf(act);
  const name = names.get(subject)?.split(' · ', 1)[0];
  if (name === undefined) return undefined;
  if (kind === 'plan') return '#/plans';
  if (kind === 'invitation') return '#/invitations';
  return `#/${kind === 'model' ? 'models' : 'keys'}/${encodeURIComponent(name)}`;
}

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
