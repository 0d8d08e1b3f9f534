import type { ComponentProps } from 'preact';
import { go, routeParts } from '../state/route.ts';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { toCsv } from '../../words/csv.ts';
import type { UsageList } from '../api/types.ts';
import { isAdmin } from '../state/session.ts';
import { useAdmin, useUser } from '../state/asked.ts';
import { t } from '../words/operator-texts.ts';
import { Button } from '../ui/controls.tsx';
import { Progress } from '../ui/progress.tsx';
import { Choice, optionsOf } from '../ui/forms/fields.tsx';
import { saveFile } from '../ui/save-file.ts';
import { toCount } from '../words/formats.ts';
import { hourCycle } from '../words/times.ts';
import { FigureRow, sumOf } from '../ui/tables/figure-row.tsx';
import {
  StackedPlot,
  timesOf,
  colourCount,
  withColours,
  type Point,
  type Usage,
  type UsageMeasure,
} from './stacked-plot.tsx';
import { namesIn, shortLabel, sumByGroup, UnitsNote, UsageTable, type Titles } from './usage-table.tsx';

type Span = keyof typeof t.usage.spans;
type Group = keyof typeof t.usage.groups;

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

/** What is looked at, which is in the address: `usage/7d/key/requests/model/one`, of the use of one model alone. */
function useChoices() {
  const [, span, by, measure, ...only] = routeParts.value;
  const choices = {
    span: oneOf<Span>(t.usage.spans, span, '1d'),
    by: oneOf<Group>(t.usage.groups, by, 'model'),
    measure: oneOf<UsageMeasure>(t.usage.measures, measure, 'requests'),
    only: isAdmin.value ? groupsIn(only) : [],
  };
  const partsOf = (other: Partial<typeof choices>) => {
    const all = { ...choices, ...other };
    return ['usage', all.span, all.by, all.measure, ...all.only.flat()];
  };
  return {
    ...choices,
    choose: (other: Partial<typeof choices>) => go(...partsOf(other)),
    /** Where there is only what a group that is in sight used, split by what is open yet. */
    addressOf: (group: string) => {
      const chosen = [...choices.only.filter(([kind]) => kind !== choices.by), [choices.by, group] as const];
      const open = (['model', 'key'] as const).find((kind) => chosen.every(([one]) => one !== kind));
      return `#/${partsOf({ only: chosen, by: open ?? choices.by })
        .map(encodeURIComponent)
        .join('/')}`;
    },
  };
}

type Only = readonly (readonly [kind: Group, group: string])[];

const groupsIn = ([kind = '', group, ...rest]: readonly string[]): Only =>
  group !== undefined && Object.hasOwn(t.usage.groups, kind)
    ? [[kind as Group, group], ...groupsIn(rest)]
    : [];

const oneOf = <Name extends string>(all: Readonly<Record<Name, string>>, name = '', usual: Name): Name =>
  Object.hasOwn(all, name) ? (name as Name) : usual;

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
  const shownSeconds = Math.min(spanSeconds, usedSpan(rows, stepSeconds));
  const sums = sumByGroup(rows).toSorted((a, b) => b[measure] - a[measure]);
  return (
    <div class="page">
      <header class="page-header">
        <h1>{t.usage.title}</h1>
        <Choices {...choices} titles={titles} />
      </header>
      <OnlyChips {...choices} />
      <Period
        first={firstUse(rows)}
        isOfAll={isAdmin.value && only.length === 0}
        {...{ spanSeconds, stepSeconds }}
      />
      <Progress of={usage} />
      {usage.value !== undefined && rows.length === 0 && <Nothing />}
      {rows.length > 0 && (
        <>
          <Totals sums={sums} />
          <Plot
            rows={rows}
            sums={sums}
            measure={measure}
            stepSeconds={stepSeconds}
            spanSeconds={shownSeconds}
            label={t.usage.plot(t.usage.measures[measure], t.usage.groups[by])}
          />
          <section class="card">
            <UsageTable key={`${by} ${measure}`} {...{ sums, by, measure, titles, addressOf }} />
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

interface PeriodProps {
  readonly spanSeconds: number;
  readonly stepSeconds: number;
  /** The first hour or day with a request; infinite where there is none. */
  readonly first: number;
  readonly isOfAll: boolean;
}

/** Which time is looked at, and from when there is something where that is later. */
function Period({ spanSeconds, stepSeconds, first, isOfAll }: PeriodProps) {
  const start = timesOf(spanSeconds, stepSeconds)[0] ?? 0;
  return (
    <p class="lead">
      {t.usage.range(toPeriod(start, stepSeconds), isOfAll)}
      {first > start && Number.isFinite(first) && t.usage.nothingBefore(toPeriod(first, stepSeconds))}
    </p>
  );
}

const firstUse = (rows: readonly Usage[]): number => Math.min(...rows.map(({ start }) => start ?? 0));

/** The bars are few and narrow where most of the time had no use, so the plot begins with the first that had. */
const leastSteps = 8;
const usedSpan = (rows: readonly Usage[], stepSeconds: number): number =>
  Math.max(leastSteps, Math.ceil((Date.now() / 1000 - firstUse(rows)) / stepSeconds)) * stepSeconds;

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

const queryOf = (only: Only): string =>
  only.map((one) => `&${one.map(encodeURIComponent).join('=')}`).join('');

const OnlyChips = ({ only, span, choose }: ReturnType<typeof useChoices>) =>
  only.length > 0 && (
    <div class="choices">
      {only.map((one) => (
        <OnlyChip
          key={one.join()}
          one={one}
          span={span}
          onEnd={() => choose({ only: only.filter((other) => other !== one) })}
        />
      ))}
    </div>
  );

interface OnlyProps {
  readonly one: Only[number];
  readonly span: Span;
  readonly onEnd: () => void;
}

/** That only the use of one account, key or model is in sight, by the name that its usage has. */
function OnlyChip({ one, span, onEnd }: OnlyProps) {
  const [kind, group] = one;
  const own = useAdmin<UsageList>(`usage?by=${kind}&since=${span}${queryOf([one])}`);
  const name = shortLabel(own.value?.data[0]?.label ?? group);
  return (
    <Button
      class="only"
      icon="close"
      aria-label={t.usage.showAll(name)}
      text={t.usage.only(name)}
      onClick={onEnd}
    />
  );
}

/** The time, the groups that an operator may choose, and the measure of the plot. */
const Choices = ({
  span,
  by,
  measure,
  choose,
  titles,
}: ReturnType<typeof useChoices> & { titles: Titles }) => (
  <div class="choices">
    <Choice
      label={t.usage.span}
      options={optionsOf(t.usage.spans)}
      value={span}
      onChange={(next) => choose({ span: next })}
    />
    {isAdmin.value && (
      <Choice
        label={t.usage.by}
        options={optionsOf(t.usage.groups)}
        value={by}
        onChange={(next) => choose({ by: next })}
      />
    )}
    <Choice
      label={t.usage.measure}
      options={namesIn(titles).map((name) => [name, t.usage.measures[name]])}
      value={measure}
      onChange={(next) => choose({ measure: next })}
    />
  </div>
);

const Totals = ({ sums }: { sums: readonly Usage[] }) => (
  <FigureRow figures={shownTotals.map((name) => [t.usage.measures[name], sumOf(sums, name)])} />
);

interface PlotProps extends Omit<ComponentProps<typeof StackedPlot>, 'groups' | 'told' | 'onPoint'> {
  readonly sums: readonly Usage[];
}

/** The plot with the values of the period that is pointed at, and below it what its groups used in all. */
function Plot({ sums, ...plot }: PlotProps) {
  const [at, setAt] = useState<Point>();
  const { rows, measure, spanSeconds, stepSeconds } = plot;
  const isEmpty = sums.every((sum) => sum[measure] === 0);
  const start = at && timesOf(spanSeconds, stepSeconds)[at.index];
  const then = start === undefined ? [] : sumByGroup(rows.filter((row) => row.start === start));
  const groups = withColours(sums);
  const items = itemsOf(groups, then, measure);
  const title = start === undefined ? '' : toPeriod(start, stepSeconds);
  const told = [title, ...items.map(({ label, value }) => `${label} ${toCount(value)}`)].join(', ');
  return (
    <section class="card plotted">
      {isEmpty ? (
        <p class="quiet">{t.usage.nothingOf(t.usage.measures[measure])}</p>
      ) : (
        <StackedPlot {...plot} groups={groups} told={at && told} onPoint={setAt} />
      )}
      {at !== undefined && <Tip at={at} title={title} items={items} />}
      {!isEmpty && (
        <div class="legend">
          <Items items={itemsOf(groups, sums, measure)} />
        </div>
      )}
    </section>
  );
}

interface TipProps {
  readonly at: Point;
  readonly title: string;
  readonly items: readonly Item[];
}

/** Beside the period that it is about: on the side where there is more room. */
function Tip({ at: { index, leftPx }, title, items }: TipProps) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useLayoutEffect(() => setRoom(box.current?.parentElement?.clientWidth ?? 0), [index]);
  const side =
    leftPx > room / 2 ? { right: `${room - leftPx + tipGapPx}px` } : { left: `${leftPx + tipGapPx}px` };
  return (
    <div ref={box} class="tip legend" aria-hidden="true" style={{ left: 'auto', right: 'auto', ...side }}>
      <strong>{title}</strong>
      <Items items={items} />
      {items.length === 0 && <span class="quiet">{t.usage.none}</span>}
      {items.length > 1 && (
        <span>
          {t.usage.total} <b>{toCount(items.reduce((all, { value }) => all + value, 0))}</b>
        </span>
      )}
    </div>
  );
}

const tipGapPx = 14;

/** An hour or a day, as the person's own time has it; days are those of the server's sums, which begin at 0:00 UTC. */
const toPeriod = (start: number, stepSeconds: number): string =>
  new Date(start * 1000).toLocaleString(
    'en',
    stepSeconds < 86_400
      ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle }
      : { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
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

type Groups = ComponentProps<typeof StackedPlot>['groups'];

/** What is drawn in one colour. */
interface Item {
  readonly label: string;
  readonly colour: number;
  readonly value: number;
}

/** The values that groups of the plot have in `values`, in their order; the smallest together, and those with none left out. */
function itemsOf(groups: Groups, values: readonly Usage[], measure: UsageMeasure): Item[] {
  const valueOf = (group: string) => values.find((one) => one.group === group)?.[measure] ?? 0;
  const isLast = groups.length === colourCount;
  const named = groups.slice(0, isLast ? colourCount : colourCount - 1);
  const others = groups.slice(named.length).filter(({ group }) => valueOf(group) > 0);
  const items = named.map(({ group, label, colour }) => ({
    label: shortLabel(label, groups),
    colour,
    value: valueOf(group),
  }));
  const value = others.reduce((all, { group }) => all + valueOf(group), 0);
  return [...items, { label: t.usage.others(others.length), colour: colourCount, value }].filter(
    (item) => item.value > 0,
  );
}

const Items = ({ items }: { items: readonly Item[] }) => (
  <>
    {items.map(({ label, colour, value }) => (
      <span key={colour}>
        <i style={{ background: `var(--plot-${colour})` }} /> {label} <b>{toCount(value)}</b>
      </span>
    ))}
  </>
);
