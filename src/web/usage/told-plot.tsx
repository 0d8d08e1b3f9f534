import type { ComponentProps } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { t } from '../words/operator-texts.ts';
import { toCount } from '../words/formats.ts';
import { hourCycle } from '../words/times.ts';
import { colourCount, namedOf, withColours } from './colours.ts';
import { StackedPlot, timesOf, type Point, type Usage, type UsageMeasure } from './stacked-plot.tsx';
import { shortLabel, sumByGroup } from './usage-table.tsx';

interface PlotProps extends Omit<ComponentProps<typeof StackedPlot>, 'groups' | 'told' | 'onPoint'> {
  readonly sums: readonly Usage[];
  /** What the groups are. */
  readonly by: string;
}

/** The plot with the values of the period that is pointed at, and below it the usage of its groups in all. */
export function ToldPlot({ sums, by, ...plot }: PlotProps) {
  const [at, setAt] = useState<Point>();
  const { rows, measure, spanSeconds, stepSeconds } = plot;
  const isEmpty = sums.every((sum) => sum[measure] === 0);
  const start = at && timesOf(spanSeconds, stepSeconds)[at.index];
  const then = start === undefined ? [] : sumByGroup(rows.filter((row) => row.start === start));
  const groups = withColours(by, sums);
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
export const toPeriod = (start: number, stepSeconds: number): string =>
  new Date(start * 1000).toLocaleString(
    'en',
    stepSeconds < 86_400
      ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle }
      : { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
  );

type Groups = ComponentProps<typeof StackedPlot>['groups'];

/** A group that is drawn in one colour. */
interface Item {
  readonly label: string;
  readonly colour: number;
  readonly value: number;
}

/** The values that groups of the plot have in `values`, in their order; the smallest together, and those with none left out. */
function itemsOf(groups: Groups, values: readonly Usage[], measure: UsageMeasure): Item[] {
  const valueOf = (group: string) => values.find((one) => one.group === group)?.[measure] ?? 0;
  const named = groups.slice(0, namedOf(groups.length));
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
