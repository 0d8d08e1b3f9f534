import { t } from '../operator-texts.ts';
import { toCount, toTime } from '../words.ts';
import { colourCount, type Usage, type UsageMeasure } from './stacked-plot.tsx';

interface Props {
  /** From the largest to the smallest. */
  readonly sums: readonly Usage[];
  readonly rows: readonly Usage[];
  readonly measure: UsageMeasure;
  /** The period that the pointer is at; undefined: all of them. */
  readonly time: number | undefined;
}

/** The groups of the plot with their colours and values, the largest first: of all time, or of the period under the pointer. */
export function Legend({ sums, rows, measure, time }: Props) {
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
