import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { UsageList } from '../api/types.ts';
import type { t } from '../words/operator-texts.ts';
import { isDark } from '../state/theme.ts';
import { toAmount } from '../words/formats.ts';
import { hourCycle } from '../words/times.ts';
import { linesUpTo } from './scale-lines.ts';

export type Usage = UsageList['data'][number] & Readonly<Record<'units' | 'unanswered_requests', number>>;
export type UsageMeasure = keyof typeof t.usage.measures;

interface Props {
  readonly rows: readonly Usage[];
  /** From the largest to the smallest; those beyond the colours are drawn in the last one. */
  readonly groups: readonly { readonly group: string; readonly label: string; readonly colour: number }[];
  readonly measure: UsageMeasure;
  readonly stepSeconds: number;
  /** How much time is shown, up to now. */
  readonly spanSeconds: number;
  readonly label: string;
  /** The period that is pointed at, in words; undefined: none is. */
  readonly told: string | undefined;
  readonly onPoint: (at: Point | undefined) => void;
}

/** A period that the pointer, a finger or the keyboard is at. */
export interface Point {
  readonly index: number;
  /** Its middle, from the left of the plot. */
  readonly leftPx: number;
}

/** In pixels: less on a phone that lies on its side. */
const heightOf = () => Math.min(280, Math.round(innerHeight * 0.55));
const away = { left: -10, top: -10 };

/** Bars per period, the groups on top of each other. */
export function StackedPlot({ label, told, onPoint, ...data }: Props) {
  const { rows, groups, measure } = data;
  const times = timesOf(data.spanSeconds, data.stepSeconds);
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
  const step = (event: KeyboardEvent) => {
    const plot = drawn.current;
    if (plot === undefined) return;
    const now = plot.cursor.idx ?? times.length;
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: times.length - 1 }[event.key];
    if (event.key === 'Escape') plot.setCursor(away);
    if (to === undefined) return;
    event.preventDefault();
    const time = times[Math.min(times.length - 1, Math.max(0, to))] ?? 0;
    plot.setCursor({ left: plot.valToPos(time, 'x'), top: 0 });
  };
  useEffect(() => {
    if (box.current === null) return;
    const element = box.current;
    const plot = draw(element, data, onPoint);
    drawn.current = plot;
    // A finger is no mouse: it tells where it is only as it moves.
    plot.over.addEventListener('pointermove', ({ pointerType, offsetX, offsetY }) => {
      if (pointerType !== 'mouse') plot.setCursor({ left: offsetX, top: offsetY });
    });
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: heightOf() }),
    );
    resized.observe(element);
    return () => {
      resized.disconnect();
      plot.destroy();
    };
  }, [rows, groups.length, measure, isDark.value]);
  return (
    <div
      ref={box}
      class="plot"
      role="slider"
      tabindex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={times.length - 1}
      aria-valuenow={drawn.current?.cursor.idx ?? times.length - 1}
      aria-valuetext={told}
      onKeyDown={step}
      onBlur={() => drawn.current?.setCursor(away)}
    />
  );
}

type Data = Omit<Props, 'label' | 'told' | 'onPoint'>;

function draw(element: HTMLElement, data: Data, onPoint: Props['onPoint']): uPlot {
  const { groups, measure, stepSeconds } = data;
  const isCounted = measure !== 'units' && measure !== 'audio_seconds';
  const isByDay = stepSeconds >= secondsOfDay;
  return new uPlot(
    {
      // Days are those of the server's sums, which begin at 0:00 UTC.
      ...(isByDay && { tzDate: (at: number) => uPlot.tzDate(new Date(at * 1000), 'Etc/UTC') }),
      width: element.clientWidth,
      height: heightOf(),
      padding: [null, sidePx, 0, 0],
      scales: {
        x: { time: true, range: padded(stepSeconds) },
        y: { range: (_, __, max) => [0, linesUpTo(max, isCounted).at(-1) ?? max] },
      },
      axes: [
        {
          ...axisOf(element),
          size: 32,
          grid: { show: false },
          splits: (plot) => ticksOf(plot.data[0], plot.width, stepSeconds),
          values: (_, at) => at.map(isByDay ? toUtcDay : toLabel),
        },
        {
          ...axisOf(element),
          size: (plot, labels) => (labels === null ? 0 : widthOf(plot, labels)),
          splits: (_, __, ___, max) => linesUpTo(max, isCounted),
          values: (_, ticks) => ticks.map(toAmount),
        },
      ],
      series: [{}, ...groups.map(({ label: name, colour }) => toSeries(name, element, colour)).reverse()],
      cursor: {
        drag: { x: false, y: false },
        y: false,
        points: { show: false },
        move: toMiddle,
      },
      legend: { show: false },
      hooks: { setCursor: [(one) => onPoint(pointOf(one))] },
    },
    toStacks(data),
    element,
  );
}

/** For half of the last label of the times. */
const sidePx = 18;
/** Between a label and the plot: its tick and uPlot's gap. */
const besidePx = 15;

/** The room that the longest of the labels takes beside the plot. */
function widthOf({ ctx }: uPlot, labels: readonly string[]): number {
  ctx.font = labelFont(ctx.canvas);
  return Math.ceil(Math.max(...labels.map((label) => ctx.measureText(label).width))) + besidePx;
}

/** The line of the pointer stands in the middle of a period. */
const toMiddle: uPlot.Cursor.MousePosRefiner = (plot, left, top) =>
  left < 0 ? [left, top] : [plot.valToPos(plot.data[0][plot.posToIdx(left)] ?? 0, 'x'), top];

function pointOf(plot: uPlot): Point | undefined {
  const { idx: index } = plot.cursor;
  if (index === undefined || index === null) return undefined;
  const time = plot.data[0][index] ?? 0;
  return { index, leftPx: plot.over.offsetLeft + plot.valToPos(time, 'x') };
}

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

const leastTickPx = 64;

/** Times that have a label: as many as there is room for, each at a bar; hours at full quarters of a day and parts of them. */
function ticksOf(times: ArrayLike<number>, widthPx: number, stepSeconds: number): number[] {
  const most = Math.max(1, Math.floor(widthPx / leastTickPx));
  const least = Math.ceil(times.length / most);
  const isByDay = stepSeconds >= secondsOfDay;
  const every = isByDay ? least : ([1, 2, 3, 6, 12].find((hours) => hours >= least) ?? 24);
  const placeOf = (time: number, index: number) =>
    isByDay ? times.length - 1 - index : new Date(time * 1000).getHours();
  return Array.from(times).filter((time, index) => placeOf(time, index) % every === 0);
}

/** Half a period more at both ends, so that the outer bars are whole. */
const padded =
  (stepSeconds: number): uPlot.Range.Function =>
  (_, first, last) => [first - stepSeconds / 2, last + stepSeconds / 2];

const secondsOfDay = 86_400;

const toUtcDay = (unixSeconds: number): string =>
  new Date(unixSeconds * 1000).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The hour within a day, the day at its beginning. */
function toLabel(unixSeconds: number): string {
  const time = new Date(unixSeconds * 1000);
  return time.getHours() === 0 && time.getMinutes() === 0
    ? time.toLocaleDateString('en', { day: 'numeric', month: 'short' })
    : time.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle });
}

function toSeries(label: string, element: HTMLElement, number: number): uPlot.Series {
  const colour = colourOf(element, `plot-${number}`);
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

const labelFont = (element: Element) => `12px ${getComputedStyle(element).fontFamily}`;

function axisOf(element: HTMLElement): uPlot.Axis {
  const line = { stroke: colourOf(element, 'line'), width: 1 };
  return {
    font: labelFont(element),
    stroke: colourOf(element, 'quiet'),
    grid: line,
    ticks: line,
  };
}

/**
 * The times, and for each group the height of its top, the highest first: bars are drawn over each other, so each one
 * leaves only its own part in sight.
 */
function toStacks({ rows, groups, measure, stepSeconds, spanSeconds }: Data): uPlot.AlignedData {
  const times = timesOf(spanSeconds, stepSeconds);
  const values = new Map(rows.map((row) => [`${row.start} ${row.group}`, row[measure]]));
  const tops = times.map(() => 0);
  const stacks = groups.map(({ group }) =>
    times.map((time, index) => (tops[index] = (tops[index] ?? 0) + (values.get(`${time} ${group}`) ?? 0))),
  );
  return [times, ...stacks.reverse()];
}
