import type { MetricName, Run } from './measure.ts';
import type { Scenario } from './scenarios.ts';
import { spread } from '../../../src/cli/bench/statistics.ts';
import type { Spread } from '../../../src/cli/bench/statistics.ts';
import type { Target } from './target.ts';

export type MetricSpreads = Partial<Record<MetricName, Spread>>;

export interface ScenarioResult {
  readonly scenario: Scenario;
  /** One entry per server, in the order of the command line. */
  readonly targets: readonly {
    readonly target: Target;
    readonly runs: readonly Run[];
    readonly metrics: MetricSpreads;
  }[];
  /** Second server over first, of the same repetition; undefined with one server. */
  readonly ratios: MetricSpreads | undefined;
}

/** The servers in the order in which a repetition asks them: A, B and then B, A, so that a drift hits both alike. */
export function turnOrder<Value>(targets: readonly Value[], repetition: number): Value[] {
  return repetition % 2 === 0 ? [...targets] : targets.toReversed();
}

/** All repetitions of a scenario in one result. `runs` holds, per server, one run per repetition. */
export function summarize(
  scenario: Scenario,
  targets: readonly Target[],
  runs: ReadonlyMap<Target, readonly Run[]>,
): ScenarioResult {
  const perTarget = targets.map((target) => {
    const ownRuns = runs.get(target) ?? [];
    return { target, runs: ownRuns, metrics: spreads((name) => ownRuns.map((run) => run.metrics[name])) };
  });
  const [first, second] = perTarget;
  const ratios =
    first === undefined || second === undefined
      ? undefined
      : spreads((name) =>
          first.runs.map((run, repetition) =>
            ratio(second.runs[repetition]?.metrics[name], run.metrics[name]),
          ),
        );
  return { scenario, targets: perTarget, ratios };
}

const metricNames: readonly MetricName[] = [
  'outputTokensPerSecond',
  'timeToFirstTokenP50Ms',
  'timeToFirstTokenP95Ms',
  'interTokenP50Ms',
  'interTokenP95Ms',
  'interTokenP99Ms',
  'longestGapMs',
  'promptTokens',
  'cachedTokens',
  'peakRssMiB',
  'cpuMsPerToken',
  'requests',
  'errors',
];

function spreads(valuesOf: (name: MetricName) => readonly (number | undefined)[]): MetricSpreads {
  const result: MetricSpreads = {};
  for (const name of metricNames) {
    const known = spread(valuesOf(name).filter((value) => value !== undefined));
    if (known !== undefined) result[name] = known;
  }
  return result;
}

/** undefined where one of both is missing or the divisor is 0. */
function ratio(value: number | undefined, base: number | undefined): number | undefined {
  return value === undefined || base === undefined || base === 0 ? undefined : value / base;
}
