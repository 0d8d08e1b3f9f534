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
import { CopyableId, FactList } from '../ui/tables/figure-row.tsx';
import { Table } from '../ui/tables/table.tsx';
import { toClock, toDate, toDay, toExactTime, toTime } from '../words/times.ts';
import { joined, nameOfKey, withoutId } from '../words/formats.ts';
import { Changes, factsOf, fieldsOf } from './changes.tsx';
import './audit.css';

type Entry = AuditList['data'][number];

const mostAtOnce = 1000;
/** The end of a key's value, with the dots before it. */
const tail = 5;

/** The kind of thing that an act was done to, such as `key`. */
const kindOf = (act: string): string => act.split('.', 1)[0] ?? '';

/** Acts of administration: the newest, older ones when they are asked for, and all of them as a file. */
export function AuditView() {
  const newest = useAdmin<AuditList>('audit');
  const [older, setOlder] = useState<readonly AuditList[]>([]);
  const [kind, setKind] = useState<keyof typeof t.audit.kinds>('');
  const { problem, isBusy, act } = useWork();
  const { things, counts } = useThings();
  const lists = newest.value === undefined ? [] : [newest.value, ...older];
  const all = lists.flatMap(({ data }) => data);
  const entries = withoutReplacing(all);
  const {
    shown: found,
    words,
    filter,
  } = useFilter(entries, (entry) => `${inSight(things, entry)} ${JSON.stringify(entry)}`);
  const shown = found.filter((entry) => kind === '' || kindOf(entry.act) === kind);
  const more = async () => {
    const next = await adminJson<AuditList>(`audit?before=${all.at(-1)?.id}`);
    setOlder([...older, next]);
  };
  return (
    <div class="page">
      <PageHeader title={t.views.audit}>
        <Button icon="save" text={t.audit.save} isBusy={isBusy} onClick={() => void act(saveAll())} />
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
            <Acts entries={shown} things={things} words={words} />
          )}
          {lists.at(-1)?.has_more === true && (
            <div class="actions">
              <Button text={t.audit.older} isBusy={isBusy} onClick={() => void act(more())} />
            </div>
          )}
        </section>
      )}
    </div>
  );
}

/** A key that replaces another one was made by that: it has no row of its own. */
function withoutReplacing(entries: readonly Entry[]): readonly Entry[] {
  const made = new Set(entries.map(({ after }) => fieldsOf(after).get('replacedBy')));
  return entries.filter(({ act, subject }) => act !== 'key.create' || !made.has(subject));
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

/** A present account, key, invitation, plan or model that an act was done to. */
interface Thing {
  readonly name: string;
  /** The name, and for a key also that of its account. */
  readonly inFull: string;
  /** The name of the account of a key. */
  readonly account?: string;
  /** Where the page shows it. */
  readonly place: string;
}

/** Present things by their ids. */
type Things = ReadonlyMap<string, Thing>;

interface ActsProps {
  readonly entries: readonly Entry[];
  readonly things: Things;
  /** The words of the filter. */
  readonly words: readonly string[];
}

const Acts = ({ entries, things, words }: ActsProps) => {
  const alike = alikeIn(things, entries);
  return (
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
              things={things}
              isAlike={alike.has(entry.subject)}
              isFoundWithin={words.some((word) => !hasWord(inSight(things, entry), word))}
            />
          ))}
        </Fragment>
      ))}
    </Table>
  );
};

/** The keys whose names are those of others, too. */
function alikeIn(things: Things, entries: readonly Entry[]): ReadonlySet<string> {
  const ofKeys = entries.filter(({ act }) => kindOf(act) === 'key');
  const byName = Map.groupBy(ofKeys, (entry) => nameIn(things, entry));
  const subjects = [...byName.values()].map((named) => new Set(named.map(({ subject }) => subject)));
  return new Set(subjects.filter(({ size }) => size > 1).flatMap((alike) => [...alike]));
}

/** All present accounts, keys, invitations, plans and models, and how many the parts have. */
function useThings() {
  const keys = useAdmin<ListOf<ApiKey>>('keys');
  const accounts = useAdmin<ListOf<Account>>('accounts');
  const invitations = useAdmin<ListOf<Invitation>>('invitations');
  const models = useAdmin<ModelStatusList>('models');
  const plans = useAdmin<PlanList>('plans');
  const things: Things = new Map([
    ...(accounts.value?.data ?? []).map(({ id, name }) => thingOf(id, name, placeIn('keys', name))),
    ...(invitations.value?.data ?? []).map(({ id, name, created_at: at }) =>
      thingOf(id, name || t.keys.unnamed(toDate(at)), 'invitations'),
    ),
    ...(plans.value?.data ?? []).map(({ name }) => thingOf(name, name, 'plans')),
    ...(keys.value?.data ?? []).map((key) => {
      const name = key.name || key.redacted_value;
      const of = { inFull: nameOfKey(key), account: key.account_name };
      return thingOf(key.id, name, placeIn('keys', name), of);
    }),
    ...(models.value?.data ?? []).map(({ id }) => thingOf(id, id, placeIn('models', id))),
  ]);
  const counts = {
    keys: accounts.value?.data.length ?? 0,
    invitations: invitations.value?.data.filter(isOpenInvitation).length ?? 0,
    plans: plans.value?.data.length ?? 0,
  };
  return { things, counts };
}

const thingOf = (
  id: string,
  name: string,
  place: string,
  more: Partial<Thing> = {},
): readonly [string, Thing] => [id, { name, inFull: name, place: `#/${place}`, ...more }];

const placeIn = (part: string, name: string) => `${part}/${encodeURIComponent(name)}`;

interface RowProps {
  readonly entry: Entry;
  readonly things: Things;
  /** Whether other keys have its name. */
  readonly isAlike: boolean;
  /** Whether the filter has found it by words of its folded details. */
  readonly isFoundWithin: boolean;
}

/** An act, the thing that it was done to, with a link where that is still there, and by whom. */
function EntryRow({ entry, things, isAlike, isFoundWithin }: RowProps) {
  const [turned, setTurned] = useState(false);
  const isOpen = turned !== isFoundWithin;
  const { at, origin, act, subject } = entry;
  const name = nameIn(things, entry);
  const place = things.get(subject)?.place;
  return (
    <>
      <tr class={isOpen ? 'opened' : undefined}>
        <th scope="row">
          <Button
            class="plain"
            aria-expanded={isOpen}
            text={wordsOf(act)}
            onClick={() => setTurned(!turned)}
          />{' '}
          {place === undefined ? <b>{name}</b> : <a href={place}>{name}</a>}
          {isAlike && <small> {told(entry, 'redacted')?.slice(-tail)}</small>}
          {t.audit.outcomes[act]}
        </th>
        <td data-title={t.audit.columns.actor}>{doerIn(things, entry)}</td>
        <td data-title={t.audit.columns.origin}>{origin}</td>
        <td class="nowrap" title={toTime(at)}>
          {toClock(at)}
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colspan={Object.keys(t.audit.columns).length} class="details">
            <FactList
              facts={[[t.audit.columns.at, toExactTime(at)], ...factsOf(entry)]}
              long={idsOf(entry, name)}
            />
            <Changes {...entry} />
          </td>
        </tr>
      )}
    </>
  );
}

/** The id of the thing that was acted on, and that of who did it: the row has their names. */
function idsOf({ subject, actor }: Entry, name: string) {
  const ids: (readonly [title: string, id: string])[] = [];
  if (subject !== name) ids.push([t.audit.subjectId, subject]);
  if (/^(key|inv)_/.test(actor)) ids.push([t.audit.actorId, actor]);
  return ids.map(([title, id]) => [title, <CopyableId key={title} id={id} />] as const);
}

/** The words of an act that is folded. */
const inSight = (things: Things, entry: Entry): string =>
  joined(
    doerIn(things, entry),
    wordsOf(entry.act),
    nameIn(things, entry),
    t.audit.outcomes[entry.act],
    entry.origin,
  );

function doerIn(things: Things, { actor }: Entry): string {
  const name = things.get(actor)?.inFull ?? t.audit.actors[actor] ?? actor;
  return actor.startsWith('inv_') ? t.audit.byInvitation(name) : name;
}

/** An act that has no words is told as it is. */
const wordsOf = (act: string): string => t.audit.acts[act] ?? act;

/** A field of an act's subject, as it became or was. */
function told({ before, after }: Entry, field: string): string | undefined {
  const value = fieldsOf(after).get(field) ?? fieldsOf(before).get(field);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The name of an act's subject at that time, with its present one where that differs, and for a key whose it was. */
function nameIn(things: Things, entry: Entry): string {
  const { subject } = entry;
  const thing = things.get(subject);
  const then = told(entry, 'name') ?? told(entry, 'redacted');
  const name = then ?? thing?.name ?? subject;
  const shown = thing === undefined || name === thing.name ? name : t.audit.renamed(name, thing.name);
  const account = told(entry, 'accountName') ?? thing?.account;
  return account === undefined ? shown : t.audit.keyOf(shown, withoutId(account));
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
