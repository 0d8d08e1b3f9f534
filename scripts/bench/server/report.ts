import type { MetricSpreads, ScenarioResult } from './compare.ts';
import type { MetricName } from './measure.ts';
import { describeScenario } from './scenarios.ts';

interface Column {
  readonly metric: MetricName;
  readonly title: string;
  readonly digits: number;
  /** Its ratios are shown with their extremes; the JSON has those of all. */
  readonly showsRange?: true;
}

const columns: readonly Column[] = [
  { metric: 'promptTokens', title: 'prompt', digits: 0 },
  { metric: 'cachedTokens', title: 'cached', digits: 0 },
  { metric: 'outputTokensPerSecond', title: 'tok/s', digits: 1, showsRange: true },
  { metric: 'timeToFirstTokenP50Ms', title: 'TTFT p50', digits: 0, showsRange: true },
  { metric: 'timeToFirstTokenP95Ms', title: 'p95 ms', digits: 0, showsRange: true },
  { metric: 'interTokenP50Ms', title: 'gap p50', digits: 1 },
  { metric: 'interTokenP95Ms', title: 'p95', digits: 1 },
  { metric: 'interTokenP99Ms', title: 'p99', digits: 1 },
  { metric: 'longestGapMs', title: 'longest ms', digits: 0, showsRange: true },
  { metric: 'peakRssMiB', title: 'RSS MiB', digits: 0 },
  { metric: 'cpuMsPerToken', title: 'CPU ms/tok', digits: 2 },
  { metric: 'errors', title: 'errors', digits: 0 },
];

/** A text table: per scenario one line per server and, with two, one line of ratios. */
export function renderTable(results: readonly ScenarioResult[]): string {
  const rows = [['scenario', 'server', ...columns.map(({ title }) => title)]];
  for (const { scenario, targets, ratios } of results) {
    for (const { target, metrics } of targets) {
      rows.push([
        describeScenario(scenario),
        target.name,
        ...columns.map((column) => median(metrics, column)),
      ]);
    }
    const [first, second] = targets;
    if (ratios !== undefined && first !== undefined && second !== undefined) {
      const name = `${second.target.name}/${first.target.name}`;
      rows.push(['', name, ...columns.map((column) => ratioText(ratios, column))]);
    }
  }
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? [];
  const pad = (cell: string, index: number): string =>
    index < 2 ? cell.padEnd(widths[index] ?? 0) : cell.padStart(widths[index] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

function median(metrics: MetricSpreads, { metric, digits }: Column): string {
  return metrics[metric]?.median.toFixed(digits) ?? '-';
}

function ratioText(ratios: MetricSpreads, { metric, showsRange }: Column): string {
  const ratio = ratios[metric];
  if (ratio === undefined) return '-';
  const range = showsRange === true ? ` [${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)}]` : '';
  return `${ratio.median.toFixed(2)}${range}`;
}
