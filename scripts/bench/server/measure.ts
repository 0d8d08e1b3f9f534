import { performance } from 'node:perf_hooks';
import type { ChatResult } from './chat-request.ts';
import type { PromptWriter } from './prompt-writer.ts';
import { startResourceMonitor } from './resource-monitor.ts';
import { runScenario } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';
import { quantile } from '../../../src/cli/bench/statistics.ts';
import type { Target } from './target.ts';

/** The figures of one run of one scenario against one server; undefined where they could not be measured. */
export interface RunMetrics {
  readonly outputTokensPerSecond: number | undefined;
  readonly timeToFirstTokenP50Ms: number | undefined;
  readonly timeToFirstTokenP95Ms: number | undefined;
  readonly interTokenP50Ms: number | undefined;
  readonly interTokenP95Ms: number | undefined;
  readonly interTokenP99Ms: number | undefined;
  /** Longest pause in any stream: the cost of a long prompt for those who decode beside it. */
  readonly longestGapMs: number | undefined;
  readonly promptTokens: number | undefined;
  readonly cachedTokens: number | undefined;
  readonly peakRssMiB: number | undefined;
  readonly cpuMsPerToken: number | undefined;
  readonly requests: number;
  readonly errors: number;
}

export type MetricName = keyof RunMetrics;

export interface Run {
  readonly metrics: RunMetrics;
  readonly firstError: string | undefined;
  /** Share of the machine (0..1) that other processes used; undefined if unknown. */
  readonly foreignCpuShare: number | undefined;
}

/** Runs a scenario once and measures it. */
export async function measureRun(
  scenario: Scenario,
  target: Target,
  writer: PromptWriter,
  seed: string,
): Promise<Run> {
  const stopMonitor = startResourceMonitor(target.pid);
  const startedAtMs = performance.now();
  const results = await runScenario(scenario, target, writer, seed);
  const seconds = (performance.now() - startedAtMs) / 1000;
  const { peakRssBytes, serverCpuSeconds, foreignCpuShare } = stopMonitor();

  const isGood = ({ error }: ChatResult): boolean => error === undefined;
  const good = results.filter(isGood);
  // In long-prefill the last request is the disturbance: its first token matters, and the gaps of the others.
  const isDisturbed = scenario.kind === 'long-prefill';
  const listeners = isDisturbed ? results.slice(0, -1) : results;
  const starters = isDisturbed ? results.slice(-1) : results;
  const goodStarters = starters.filter(isGood);
  const gapsMs = listeners.filter(isGood).flatMap((result) => result.gapsMs);
  const firstTokenMs = goodStarters.flatMap(({ timeToFirstTokenMs }) => timeToFirstTokenMs ?? []);
  const completionTokens = sum(good.map((result) => result.completionTokens));
  return {
    metrics: {
      outputTokensPerSecond: completionTokens / seconds,
      timeToFirstTokenP50Ms: quantile(firstTokenMs, 0.5),
      timeToFirstTokenP95Ms: quantile(firstTokenMs, 0.95),
      interTokenP50Ms: quantile(gapsMs, 0.5),
      interTokenP95Ms: quantile(gapsMs, 0.95),
      interTokenP99Ms: quantile(gapsMs, 0.99),
      longestGapMs: gapsMs.length === 0 ? undefined : Math.max(...gapsMs),
      promptTokens: quantile(
        goodStarters.map((result) => result.promptTokens),
        0.5,
      ),
      cachedTokens: quantile(
        goodStarters.map((result) => result.cachedTokens),
        0.5,
      ),
      peakRssMiB: peakRssBytes === undefined ? undefined : peakRssBytes / 2 ** 20,
      cpuMsPerToken:
        serverCpuSeconds === undefined || completionTokens === 0
          ? undefined
          : (serverCpuSeconds * 1000) / completionTokens,
      requests: results.length,
      errors: results.length - good.length,
    },
    firstError: results.find((result) => result.error !== undefined)?.error,
    foreignCpuShare,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
