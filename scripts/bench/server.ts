import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { UsageError, help, parseArguments } from './server/arguments.ts';
import type { BenchArguments } from './server/arguments.ts';
import { summarize, turnOrder } from './server/compare.ts';
import type { ScenarioResult } from './server/compare.ts';
import { measureRun } from './server/measure.ts';
import type { Run } from './server/measure.ts';
import { calibratePromptWriter } from './server/prompt-writer.ts';
import type { PromptWriter } from './server/prompt-writer.ts';
import { renderTable } from './server/report.ts';
import { measureIdleCpuShare } from './server/resource-monitor.ts';
import { describeScenario } from './server/scenarios.ts';
import type { Scenario } from './server/scenarios.ts';
import { firstModel } from './server/target.ts';
import type { Target } from './server/target.ts';

const quietCheckMs = 1000;

try {
  const parsed = parseArguments(process.argv.slice(2));
  if (parsed === 'help') process.stdout.write(help);
  else await bench(parsed);
} catch (error) {
  const hint = error instanceof UsageError ? ' (--help tells the options)' : '';
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}${hint}\n`);
  process.exitCode = 1;
}

async function bench(options: BenchArguments): Promise<void> {
  const targets = await Promise.all(options.urls.map((url, index) => toTarget(url, index, options)));
  // Each server is warmed up; the prompts are fitted to the first and are the same for both.
  const writers: PromptWriter[] = [];
  for (const target of targets) writers.push(await calibratePromptWriter(target));
  const [writer] = writers;
  if (writer === undefined) return;

  const results: ScenarioResult[] = [];
  for (const scenario of options.scenarios) {
    results.push(await runRepetitions(scenario, targets, writer, options));
  }
  const hasErrors = results.some((result) =>
    result.targets.some(({ metrics }) => (metrics.errors?.max ?? 0) > 0),
  );
  if (hasErrors) process.exitCode = 1;
  await report(results, options);
}

async function toTarget(baseUrl: string, index: number, options: BenchArguments): Promise<Target> {
  const valueOf = <Value>(values: readonly Value[]): Value | undefined => values[index] ?? values[0];
  const apiKey = valueOf(options.keys);
  return {
    name: options.names[index] ?? (index === 0 ? 'A' : 'B'),
    baseUrl,
    model: valueOf(options.models) ?? (await firstModel(baseUrl, apiKey)),
    apiKey,
    pid: options.pids[index],
  };
}

async function runRepetitions(
  scenario: Scenario,
  targets: readonly Target[],
  writer: PromptWriter,
  options: BenchArguments,
): Promise<ScenarioResult> {
  const runs = new Map<Target, Run[]>(targets.map((target) => [target, []]));
  for (let repetition = 0; repetition < options.repetitions; repetition++) {
    for (const target of turnOrder(targets, repetition)) {
      const run = await runInQuiet(scenario, target, writer, repetition, options);
      runs.get(target)?.push(run);
      const errors = run.firstError === undefined ? '' : `, ${run.metrics.errors} errors: ${run.firstError}`;
      const speed = run.metrics.outputTokensPerSecond?.toFixed(1) ?? '-';
      note(`${describeScenario(scenario)} #${repetition + 1} ${target.name}: ${speed} tok/s${errors}`);
    }
  }
  return summarize(scenario, targets, runs);
}

/** A run in which other processes left the machine alone, or the last of several tries with a warning. */
async function runInQuiet(
  scenario: Scenario,
  target: Target,
  writer: PromptWriter,
  repetition: number,
  options: BenchArguments,
): Promise<Run> {
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= options.retries;
    // Without a pid the server's work looks like foreign work: then only the moment before the run can tell.
    const shareBefore = target.pid === undefined ? await measureIdleCpuShare(quietCheckMs) : undefined;
    if (!isLast && isNoisy(shareBefore, options)) continue;
    // Each try has prompts of its own, so that no server answers from its cache where another must compute.
    const owner = options.hasOwnPrompts ? `/${target.name}` : '';
    const seed = `${options.seed}/${repetition}/${attempt}${owner}`;
    const run = await measureRun(scenario, target, writer, seed);
    if (!isNoisy(run.foreignCpuShare ?? shareBefore, options) || isLast) return run;
  }
}

function isNoisy(foreignShare: number | undefined, { maxForeignShare }: BenchArguments): boolean {
  if (foreignShare === undefined || foreignShare <= maxForeignShare) return false;
  note(`warning: other processes used ${(foreignShare * 100).toFixed(0)} % of the CPU`);
  return true;
}

async function report(results: readonly ScenarioResult[], options: BenchArguments): Promise<void> {
  const [cpu] = cpus();
  const json = {
    finishedAt: new Date().toISOString(),
    machine: { cpu: cpu?.model, cpuCount: cpus().length, node: process.version },
    repetitions: options.repetitions,
    seed: options.seed,
    // Keys stay out of files.
    results: results.map((result) => ({
      ...result,
      targets: result.targets.map((entry) => ({ ...entry, target: { ...entry.target, apiKey: undefined } })),
    })),
  };
  if (options.jsonPath === '-') process.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
  else {
    process.stdout.write(`${renderTable(results)}\n`);
    if (options.jsonPath !== undefined)
      await writeFile(options.jsonPath, `${JSON.stringify(json, null, 2)}\n`);
  }
}

function note(text: string): void {
  process.stderr.write(`${text}\n`);
}
