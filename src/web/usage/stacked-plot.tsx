import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { UsageList } from '../api/types.ts';
import type { t } from '../operator-texts.ts';
import { isDark } from '../state/theme.ts';
import { toCount } from '../words.ts';

export type Usage = UsageList['data'][number] & { readonly units: number };
export type UsageMeasure = keyof typeof t.usage.measures;

interface Props {
  readonly rows: readonly Usage[];
  /** From the largest to the smallest; those beyond the colours are drawn in the last one. */
  readonly groups: readonly { readonly group: string; readonly label: string }[];
  readonly measure: UsageMeasure;
  readonly stepSeconds: number;
  /** How much time is shown, up to now. */
  readonly spanSeconds: number;
  readonly label: string;
  /** The place of the pointer among the periods. */
  readonly onTime: (index: number | undefined) => void;
}

const heightPx = 280;

/** Bars per period, the groups on top of each other. */
export function StackedPlot({ label, onTime, ...data }: Props) {
  const { rows, groups, measure } = data;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current === null) return;
    const element = box.current;
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height: heightPx,
        scales: {
          x: { time: true, range: padded(data.stepSeconds) },
          y: { range: (_, __, max) => [0, (max || 1) * 1.05] },
        },
        axes: [
          { ...axisOf(element), values: (_, times) => times.map(toLabel) },
          { ...axisOf(element), size: 60, values: (_, ticks) => ticks.map(toCount) },
        ],
        series: [{}, ...groups.map(({ label: name }, index) => toSeries(name, element, index)).reverse()],
        cursor: { drag: { x: false, y: false } },
        legend: { show: false },
        hooks: { setCursor: [({ cursor }) => onTime(cursor.idx ?? undefined)] },
      },
      toStacks(data),
      element,
    );
    const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: heightPx }));
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [rows, groups.length, measure, isDark.value]);
  return <div ref={box} class="plot" role="img" aria-label={label} />;
}

export const colourCount = 8;

/** The beginnings of the shown periods, Unix seconds. */
export function timesOf(spanSeconds: number, stepSeconds: number): number[] {
  const last = Math.floor(Date.now() / 1000 / stepSeconds) * stepSeconds;
  const count = spanSeconds / stepSeconds + 1;
  return Array.from({ length: count }, (_, index) => last + (index + 1 - count) * stepSeconds);
}

/** The colour that the style sheet has under `name` for the theme of now: a canvas knows no variables. */
function colourOf(element: HTMLElement, name: string): string {
  element.style.color = `var(--${name})`;
  const { color } = getComputedStyle(element);
  element.style.removeProperty('color');
  return color;
}

/** Half a period more at both ends, so that the outer bars are whole. */
const padded =
  (stepSeconds: number): uPlot.Range.Function =>
  (_, first, last) => [first - stepSeconds / 2, last + stepSeconds / 2];

/** The hour within a day, the day at its beginning. */
function toLabel(unixSeconds: number): string {
  const time = new Date(unixSeconds * 1000);
  return time.getHours() === 0 && time.getMinutes() === 0
    ? time.toLocaleDateString('en', { day: 'numeric', month: 'short' })
    : time.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

function toSeries(label: string, element: HTMLElement, index: number): uPlot.Series {
  const colour = colourOf(element, `plot-${Math.min(index, colourCount - 1) + 1}`);
  const paths = uPlot.paths.bars?.({ size: [0.8, 40] });
  return {
    label,
    fill: colour,
    stroke: colour,
    width: 0,
    ...(paths !== undefined && { paths }),
    points: { show: false },
  };
}

function axisOf(element: HTMLElement): uPlot.Axis {
  const line = { stroke: colourOf(element, 'line'), width: 1 };
  return {
    font: `12px ${getComputedStyle(element).fontFamily}`,
    stroke: colourOf(element, 'quiet'),
    grid: line,
    ticks: line,
  };
}

/**
 * The times, and for each group the height of its top, the highest first: bars are drawn over each other, so each one
 * leaves only its own part in sight.
 */
function toStacks({
  rows,
  groups,
  measure,
  stepSeconds,
  spanSeconds,
}: Omit<Props, 'label' | 'onTime'>): uPlot.AlignedData {
  const times = timesOf(spanSeconds, stepSeconds);
  const values = new Map(rows.map((row) => [`${row.start} ${row.group}`, row[measure]]));
  const tops = times.map(() => 0);
  const stacks = groups.map(({ group }) =>
    times.map((time, index) => (tops[index] = (tops[index] ?? 0) + (values.get(`${time} ${group}`) ?? 0))),
  );
  return [times, ...stacks.reverse()];
}
