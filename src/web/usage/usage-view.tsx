import { useMemo } from 'preact/hooks';
import { toCsv } from '../../words/csv.ts';
import type { UsageList } from '../api/types.ts';
import { isAdmin } from '../state/session.ts';
import { useAdmin, useUser } from '../state/asked.ts';
import { t } from '../words/operator-texts.ts';
import { Button } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { saveFile } from '../ui/save-file.ts';
import { FigureRow, sumOf } from '../ui/tables/figure-row.tsx';
import { Choices, OnlyChips, queryOf, useChoices } from './choices.tsx';
import { timesOf, type Usage } from './stacked-plot.tsx';
import { toPeriod, ToldPlot } from './told-plot.tsx';
import { namesIn, sumByGroup, UnitsNote, UsageTable, type Titles } from './usage-table.tsx';

const pollMs = 30_000;
/** Of the whole span, above the plot. */
const shownTotals = [
  'requests',
  'prompt_tokens',
  'completion_tokens',
  'failed_requests',
  'refused_requests',
] as const;
const { units: _, ...unpriced } = t.usage.measures;

/** Usage over time, stacked by model, key or account, and its sums as a table. */
export function UsageView() {
  const choices = useChoices();
  const { span, by, measure, only, addressOf } = choices;
  const step = span === '1d' ? 'hour' : 'day';
  const stepSeconds = step === 'hour' ? 3600 : 86_400;
  const spanSeconds = Number.parseInt(span, 10) * 86_400;
  const useOwn = isAdmin.value ? useAdmin<UsageList> : useUser<UsageList>;
  const usage = useOwn(`usage?by=${by}&step=${step}&since=${span}${queryOf(only)}`, pollMs);
  const given = usage.value?.data ?? [];
  const rows = useMemo(() => given.map((row) => ({ ...row, units: row.units ?? 0 })), [usage.value]);
  const titles: Titles = given[0]?.units === undefined ? unpriced : t.usage.measures;
  const [start = 0] = timesOf(spanSeconds, stepSeconds);
  const sums = sumByGroup(rows).toSorted((a, b) => b[measure] - a[measure]);
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.usage.title}</h1>
        <Choices {...choices} titles={titles} />
      </header>
      <OnlyChips {...choices} />
      <p class="lead">{t.usage.range(toPeriod(start, stepSeconds), isAdmin.value && only.length === 0)}</p>
      <Progress of={usage} />
      {usage.value !== undefined && rows.length === 0 && <Nothing />}
      {rows.length > 0 && (
        <>
          <Totals sums={sums} />
          <ToldPlot
            rows={rows}
            sums={sums}
            measure={measure}
            stepSeconds={stepSeconds}
            spanSeconds={spanSeconds}
            label={t.usage.plot(t.usage.measures[measure], t.usage.groups[by])}
          />
          <section class="card">
            <UsageTable key={`${by} ${measure}`} {...{ sums, by, measure, titles, addressOf }} />
            <p class="quiet">{t.usage.note}</p>
            <UnitsNote of={sums} />
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

/** What will be here, and what to do for it. */
const Nothing = () => (
  <section class="card">
    <p>{t.usage.nothing}</p>
    <p class="quiet">{t.usage.first}</p>
    <a class="button" href="#/chat">
      {t.usage.ask}
    </a>
  </section>
);

const Totals = ({ sums }: { sums: readonly Usage[] }) => (
  <FigureRow figures={shownTotals.map((name) => [t.usage.measures[name], sumOf(sums, name)])} />
);

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
