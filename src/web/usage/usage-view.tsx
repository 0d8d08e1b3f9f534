import { useMemo, useRef } from 'preact/hooks';
import { toCsv } from '../../words/csv.ts';
import { isServerAway } from '../api/connection.ts';
import type { UsageList } from '../api/types.ts';
import { canChat, isAdmin } from '../state/session.ts';
import { useAdmin, useUser } from '../state/asked.ts';
import { longSeconds, useSeconds } from '../state/polled.ts';
import { t } from '../words/operator-texts.ts';
import { Button, Waiting } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { saveFile } from '../ui/save-file.ts';
import { FigureRow, sumOf } from '../ui/tables/figure-row.tsx';
import { Choices, OnlyChips, queryOf, useChoices } from './choices.tsx';
import { timesOf, type Usage } from './stacked-plot.tsx';
import { toPeriod, ToldPlot } from './told-plot.tsx';
import { counted, namesIn, sumByGroup, UnitsNote, UsageTable, type Titles } from './usage-table.tsx';

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
  const { span, by, only } = choices;
  const useOwn = isAdmin.value ? useAdmin<UsageList> : useUser<UsageList>;
  const usage = useOwn(`usage?by=${by}&step=${stepOf(span)}&since=${span}${queryOf(only)}`, pollMs);
  const { value, error } = usage;
  // Figures stay under their own names until those of another choice come, or fail to.
  const told = useRef<FiguresProps>(undefined);
  const isOld = value === undefined && error === undefined && told.current !== undefined;
  if (!isOld) told.current = value && { choices, given: value.data };
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.usage.title}</h1>
        <Choices {...choices} titles={titlesOf(told.current?.given)} />
      </header>
      <OnlyChips {...choices} />
      {isOld ? <LongWait onAgain={usage.reload} /> : <Progress of={usage} />}
      {told.current !== undefined && (
        <div class="told" aria-busy={isOld}>
          <Figures {...told.current} />
        </div>
      )}
    </div>
  );
}

const stepOf = (span: string) => (span === '1d' ? 'hour' : 'day');

const titlesOf = (given: UsageList['data'] = []): Titles =>
  given[0]?.units === undefined ? unpriced : t.usage.measures;

/** Nothing at first, when the figures in sight show that others are awaited. */
const LongWait = ({ onAgain }: { onAgain: () => void }) =>
  useSeconds() >= longSeconds && !isServerAway.value ? <Waiting onAgain={onAgain} /> : null;

interface FiguresProps {
  readonly choices: ReturnType<typeof useChoices>;
  readonly given: UsageList['data'];
}

/** The figures of the choices, and from when they are. */
function Figures({ choices, given }: FiguresProps) {
  const { span, by, measure, only, addressOf } = choices;
  const rows = useMemo(() => counted(given), [given]);
  const stepSeconds = stepOf(span) === 'hour' ? 3600 : 86_400;
  const spanSeconds = Number.parseInt(span, 10) * 86_400;
  const { unanswered_requests: _both, ...columns } = titlesOf(given);
  // Its parts have columns.
  const sortedBy = measure === 'unanswered_requests' ? 'failed_requests' : measure;
  const [start = 0] = timesOf(spanSeconds, stepSeconds);
  const sums = sumByGroup(rows).toSorted((a, b) => b[measure] - a[measure]);
  return (
    <>
      <p class="lead">
        {t.usage.range(toPeriod(start, stepSeconds), isAdmin.value && only.length === 0)}
        {isAdmin.value && canChat.value && (
          <>
            {' · '}
            <a href="#/limits">{t.keys.myLimits}</a>
          </>
        )}
      </p>
      {/* Where it is plotted the word stands here first. */}
      {measure === 'units' && <UnitsNote of={sums} isNeeded />}
      {rows.length === 0 ? (
        <Nothing />
      ) : (
        <>
          <Totals sums={sums} />
          <ToldPlot
            rows={rows}
            sums={sums}
            by={by}
            measure={measure}
            stepSeconds={stepSeconds}
            spanSeconds={spanSeconds}
            label={t.usage.plot(t.usage.measures[measure], t.usage.groups[by])}
          />
          <section class="card">
            <UsageTable
              key={`${by} ${measure}`}
              {...{ sums, by, addressOf }}
              measure={sortedBy}
              titles={columns}
            />
            <p class="quiet">{t.usage.note}</p>
            {measure !== 'units' && <UnitsNote of={sums} />}
            <div class="actions">
              <Button text={t.usage.json} onClick={() => saveFile('hearth-usage.json', jsonOf(given))} />
              <Button text={t.usage.csv} onClick={() => saveFile('hearth-usage.csv', csvOf(rows, columns))} />
            </div>
          </section>
        </>
      )}
    </>
  );
}

/** In place of figures before the first request: a link to the chat. */
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
