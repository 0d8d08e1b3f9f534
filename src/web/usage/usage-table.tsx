import type { UsageList } from '../api/types.ts';
import { t } from '../words/operator-texts.ts';
import { isAdmin } from '../state/session.ts';
import { NumberCell, Table, useSort } from '../ui/tables/table.tsx';
import { inOrder, withoutId } from '../words/formats.ts';
import type { Usage, UsageMeasure } from './stacked-plot.tsx';
import './usage.css';

/** The titles of the measures in sight, by name. Units are among them where something had a price. */
export type Titles = Readonly<Record<string, string>>;

export const namesIn = (titles: Titles) => Object.keys(titles) as UsageMeasure[];

/** The rows with the counts of this view. */
export const counted = (rows: UsageList['data']): readonly Usage[] =>
  rows.map((row) => ({
    ...row,
    units: row.units ?? 0,
    unanswered_requests: row.failed_requests + row.refused_requests,
  }));

/** A name of a key is without the known part of its secret. */
const cut = (label: string): string => withoutId(label).replace(/(: .*\S) hk-\S+$/, '$1');

/** The name of a group, shortened where no other one of `all` has the same then. */
export const shortLabel = (label: string, all: readonly Pick<Usage, 'label'>[] = []): string =>
  all.filter((one) => cut(one.label) === cut(label)).length > 1 ? withoutId(label) : cut(label);

/** The things that a measure counts, where its title does not say it. */
const countOf: Readonly<Partial<Record<string, string>>> = t.usage.counts;

interface Props {
  readonly sums: readonly Usage[];
  readonly by: keyof typeof t.usage.groups;
  /** By which it is sorted at first. */
  readonly measure: UsageMeasure;
  readonly titles: Titles;
  /** The address of the usage of one group alone; undefined: nothing leads there. */
  readonly addressOf?: (group: string) => string;
}

/** Measures without usage are left out. An operator's names lead to the usage of one alone. */
export function UsageTable({ sums, by, measure, titles: known, addressOf }: Props) {
  const sort = useSort<string>(measure, namesIn(known), { group: '', ...known });
  const titles: Titles = Object.fromEntries(
    namesIn(known).flatMap((name) =>
      sums.some((sum) => sum[name] > 0) ? [[name, t.usage.measures[name]]] : [],
    ),
  );
  const sorted = sums.toSorted((one, other) => (sort.isDown ? -1 : 1) * inSort(sort.by, one, other));
  const all = sumByGroup(sums.map((sum) => ({ ...sum, group: '', label: t.usage.total })));
  return (
    <Table<string>
      class="stacks close"
      titles={{ group: t.usage.group[by], ...titles }}
      inFull={countOf}
      numbers={namesIn(titles)}
      sort={sort}
    >
      {[...sorted, ...(sums.length > 1 ? all : [])].map((sum) => (
        <tr key={sum.group} class={all.includes(sum) ? 'sum' : undefined}>
          <th scope="row" title={sum.label}>
            {isAdmin.value && addressOf !== undefined && sum.group !== '' ? (
              <a href={addressOf(sum.group)}>{shortLabel(sum.label, sums)}</a>
            ) : (
              shortLabel(sum.label, sums)
            )}
          </th>
          {namesIn(titles).map((name) => (
            <NumberCell key={name} title={t.usage.measures[name]} value={sum[name]} more={countOf[name]} />
          ))}
        </tr>
      ))}
    </Table>
  );
}

const inSort = (column: string, one: Usage, other: Usage): number =>
  column === 'group'
    ? inOrder(one.label, other.label)
    : one[column as UsageMeasure] - other[column as UsageMeasure];

/** One row per group: the sums over all periods. */
export function sumByGroup(rows: readonly Usage[]): Usage[] {
  const sums = new Map<string, Usage>();
  for (const row of rows) {
    const sum = sums.get(row.group);
    const add = (name: UsageMeasure) => [name, row[name] + (sum?.[name] ?? 0)];
    sums.set(row.group, { ...row, ...Object.fromEntries(namesIn(t.usage.measures).map(add)) });
  }
  return [...sums.values()];
}

interface NoteProps {
  readonly of: readonly Usage[];
  /** Whether units are told elsewhere in the view, too. */
  readonly isNeeded?: boolean;
}

/** The meaning of units, where some are told. */
export const UnitsNote = ({ of: rows, isNeeded = false }: NoteProps) =>
  isNeeded || rows.some(({ units }) => units > 0) ? <p class="quiet">{t.usage.counts.units}</p> : null;
