import type { ComponentProps } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { toCsv } from '../../words/csv.ts';
import type { UsageList } from '../api/types.ts';
import { isAdmin } from '../state/session.ts';
import { useAdmin, useUser } from '../state/polled.ts';
import { t } from '../operator-texts.ts';
import { Button, Progress } from '../ui/controls.tsx';
import { Choice, optionsOf } from '../ui/fields.tsx';
import { saveFile } from '../ui/save-file.ts';
import { Table } from '../ui/table.tsx';
import { toCount, toTime } from '../words.ts';
import { FigureRow } from '../ui/figure-row.tsx';
import { StackedPlot, timesOf, colourCount, type Usage, type UsageMeasure } from './stacked-plot.tsx';

type Span = keyof typeof t.usage.spans;
type Group = keyof typeof t.usage.groups;
/** The titles of the measures in sight, by name. Units are among them where something had a price. */
type Titles = Readonly<Record<string, string>>;

const pollMs = 30_000;
/** Of the whole span, above the plot. */
const shownTotals = ['requests', 'prompt_tokens', 'completion_tokens', 'refused_requests'] as const;
const { units: _, ...unpriced } = t.usage.measures;

/** Usage over time, stacked by model, key or account, and its sums as a table. */
export function UsageView() {
  const [span, setSpan] = useState<Span>('1d');
  const [by, setBy] = useState<Group>('model');
  const [measure, setMeasure] = useState<UsageMeasure>('requests');
  const step = span === '1d' || span === '7d' ? 'hour' : 'day';
  const useOwn = isAdmin.value ? useAdmin<UsageList> : useUser<UsageList>;
  const usage = useOwn(`usage?by=${by}&step=${step}&since=${span}`, pollMs);
  const given = usage.value?.data ?? [];
  const rows = useMemo(() => given.map((row) => ({ ...row, units: row.units ?? 0 })), [usage.value]);
  const titles: Titles = given[0]?.units === undefined ? unpriced : t.usage.measures;
  const sums = sumByGroup(rows).toSorted((a, b) => b[measure] - a[measure]);
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.usage.title}</h1>
        <div class="choices">
          <Choice label={t.usage.span} options={optionsOf(t.usage.spans)} value={span} onChange={setSpan} />
          {isAdmin.value && (
            <Choice label={t.usage.by} options={optionsOf(t.usage.groups)} value={by} onChange={setBy} />
          )}
          <Choice
            label={t.usage.measure}
            options={namesIn(titles).map((name) => [name, t.usage.measures[name]])}
            value={measure}
            onChange={setMeasure}
          />
        </div>
      </header>
      <Progress of={usage} />
      {usage.value !== undefined && rows.length === 0 && <p class="note">{t.usage.nothing}</p>}
      {rows.length > 0 && (
        <>
          <Totals sums={sums} />
          <Plot
            rows={rows}
            sums={sums}
            measure={measure}
            stepSeconds={step === 'hour' ? 3600 : 86_400}
            spanSeconds={Number.parseInt(span, 10) * 86_400}
            label={t.usage.plot(t.usage.measures[measure], t.usage.groups[by])}
          />
          <section class="card">
            <UsageTable sums={sums} by={by} titles={titles} />
            <div class="actions">
              <Button text={t.usage.json} onClick={() => saveFile('hearth-usage.json', jsonOf(given))} />
              <Button text={t.usage.csv} onClick={() => saveFile('hearth-usage.csv', csvOf(rows, titles))} />
            </div>
          </section>
        </>
      )}
    </div>
  );
}

const Totals = ({ sums }: { sums: readonly Usage[] }) => (
  <FigureRow
    figures={shownTotals.map((name) => [
      t.usage.measures[name],
      toCount(sums.reduce((all, sum) => all + sum[name], 0)),
    ])}
  />
);

interface PlotProps extends Omit<ComponentProps<typeof StackedPlot>, 'groups' | 'onTime'> {
  readonly sums: readonly Usage[];
}

/** The plot, and below it the values of its groups: of all time, or of the period that the pointer is at. */
function Plot({ sums, ...plot }: PlotProps) {
  const [at, setAt] = useState<number>();
  const { rows, measure, spanSeconds, stepSeconds } = plot;
  const time = at === undefined ? undefined : timesOf(spanSeconds, stepSeconds)[at];
  return (
    <section class="card">
      <StackedPlot {...plot} groups={sums.map(({ group, label }) => ({ group, label }))} onTime={setAt} />
      <Legend sums={sums} rows={rows} measure={measure} time={time} />
    </section>
  );
}

const namesIn = (titles: Titles) => Object.keys(titles) as UsageMeasure[];

interface TableProps {
  readonly sums: readonly Usage[];
  readonly by: Group;
  readonly titles: Titles;
}

/** Measures of which nothing was used are left out. */
function UsageTable({ sums, by, titles: all }: TableProps) {
  const titles: Titles = Object.fromEntries(
    namesIn(all).flatMap((name) =>
      sums.some((sum) => sum[name] > 0) ? [[name, t.usage.measures[name]]] : [],
    ),
  );
  return (
    <Table<string> class="stacks" titles={{ group: t.usage.group[by], ...titles }} numbers={namesIn(titles)}>
      {sums.map((sum) => (
        <tr key={sum.group}>
          <th scope="row">{sum.label}</th>
          {namesIn(titles).map((name) => (
            <td key={name} class="number" data-title={t.usage.measures[name]}>
              {toCount(sum[name])}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

/** One row per group: the sums over all periods. */
function sumByGroup(rows: readonly Usage[]): Usage[] {
  const sums = new Map<string, Usage>();
  for (const row of rows) {
    const sum = sums.get(row.group);
    const add = (name: UsageMeasure) => [name, row[name] + (sum?.[name] ?? 0)];
    sums.set(row.group, { ...row, ...Object.fromEntries(namesIn(t.usage.measures).map(add)) });
  }
  return [...sums.values()];
}

const jsonOf = (given: UsageList['data']) =>
  new Blob([JSON.stringify(given, null, 2)], { type: 'application/json' });

function csvOf(rows: readonly Usage[], titles: Titles): Blob {
  const fields = {
    start: ({ start }: Usage) => new Date((start ?? 0) * 1000).toISOString(),
    group: ({ group }: Usage) => group,
    label: ({ label }: Usage) => label,
    ...Object.fromEntries(namesIn(titles).map((name) => [name, (row: Usage) => row[name]])),
  };
  return new Blob([`${toCsv(rows, fields).join('\n')}\n`], { type: 'text/csv' });
}

interface Props {
  /** From the largest to the smallest. */
  readonly sums: readonly Usage[];
  readonly rows: readonly Usage[];
  readonly measure: UsageMeasure;
  /** The period that the pointer is at; undefined: all of them. */
  readonly time: number | undefined;
}

/** The groups of the plot with their colours and values, the largest first: of all time, or of the period under the pointer. */
function Legend({ sums, rows, measure, time }: Props) {
  const valueOf = (sum: Usage) =>
    time === undefined
      ? sum[measure]
      : (rows.find(({ group, start }) => group === sum.group && start === time)?.[measure] ?? 0);
  const named = sums.slice(0, colourCount - 1);
  const others = sums.slice(colourCount - 1);
  const last = others.length === 1 ? others[0]?.label : t.usage.others(others.length);
  const items: readonly (readonly [label: string | undefined, value: number])[] = [
    ...named.map((sum) => [sum.label, valueOf(sum)] as const),
    ...(others.length === 0 ? [] : [[last, others.reduce((all, sum) => all + valueOf(sum), 0)] as const]),
  ];
  return (
    <div class="legend">
      <span class="quiet">{time === undefined ? t.usage.total : toTime(time)}</span>
      {items.map(([label, value], index) => (
        <span key={label}>
          <i style={{ background: `var(--plot-${index + 1})` }} /> {label} <b>{toCount(value)}</b>
        </span>
      ))}
    </div>
  );
}
