import { loadCuratedModels, type CuratedModel } from '../../catalog/pulls/curated-models.ts';
import { pullModel, type PulledModel } from '../../catalog/download/pull.ts';
import type { LiveCatalog } from '../../catalog/catalog.ts';
import { namingOf } from '../../catalog/pulls/pull-naming.ts';
import { findPullTarget, unknownPullName, type PullTarget } from '../../catalog/pulls/pull-target.ts';
import { modelIdPattern, modelIdRule } from '../../catalog/pulls/model-source.ts';
import { curatedModelsFile } from '../../config/paths.ts';
import type { Config } from '../../config/types.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { sameFolder, shellCommand } from '../own-command.ts';
import { ProgressLine, showPull } from './pull-progress.ts';
import { isCancel, select } from '@clack/prompts';
import type { MachinePower } from '../../catalog/pulls/expected-speed.ts';
import { suggestModels, type Suggestion } from '../../catalog/pulls/suggestions.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { measureMachine } from '../../assembly/machine/machine-power.ts';
import { printJson, printTable, type Column } from '../output.ts';

export interface PullCommandOptions {
  readonly json?: boolean | undefined;
  readonly sha256?: string | undefined;
  readonly id?: string | undefined;
}

/** The model that `name` stands for, pulled; undefined when there was only a list to be shown. */
export async function pullByName(
  name: string | undefined,
  config: Config,
  catalog: Pick<LiveCatalog, 'list'>,
  options: PullCommandOptions,
): Promise<PulledModel | undefined> {
  const curated = loadCuratedModels(curatedModelsFile);
  const chosen = name ?? (await suggestModel(curated, config, options.json === true));
  if (chosen === undefined) return undefined;
  const target = findTarget(chosen, config, curated);
  const { sha256 = target.sha256, id } = options;
  if (id !== undefined && !modelIdPattern.test(id)) throw new CliError(`--id ${modelIdRule}`);
  return await pullWithProgress({ ...target, sha256, id }, config, catalog);
}

/** The target that `name` stands for. Throws CliError where there is none. */
function findTarget(name: string, config: Config, curated: readonly CuratedModel[]): PullTarget {
  const target = findPullTarget(name, config.models, curated);
  if (target !== undefined) return target;
  const { near, searchUrl } = unknownPullName(name, config.models, curated);
  const suggestion = near.length > 0 ? `did you mean ${near.join(', ')}? ` : '';
  throw new CliError(
    `no model "${name}" is known by name`,
    `${suggestion}others are at ${searchUrl}: pull them as hf:Owner/Repository:QUANT. ` +
      `For the known ones: ${shellCommand(['models', 'pull', ...sameFolder(config)])}`,
  );
}

async function pullWithProgress(
  { source, sha256, id }: PullTarget,
  config: Config,
  catalog: Pick<LiveCatalog, 'list'>,
): Promise<PulledModel> {
  const controller = new AbortController();
  const onInterrupt = (): void =>
    controller.abort(new CliError('stopped', 'what came is kept: the same command goes on from there'));
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  const line = new ProgressLine(process.stderr);
  try {
    return await pullModel(source, {
      folder: config.pulledModelsDir,
      sha256,
      id,
      naming: namingOf(source, catalog.list(), config.models),
      signal: controller.signal,
      onProgress: (progress) => showPull(line, progress),
    });
  } finally {
    line.close();
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
  }
}

/**
 * The id of the model that was chosen on a terminal. Without a terminal it lists the models, with the one that suits
 * this machine best, and gives undefined.
 */
async function suggestModel(
  curated: readonly CuratedModel[],
  config: Config,
  json: boolean,
): Promise<string | undefined> {
  const machine = await measureMachine(config);
  const suggestions = suggestModels(curated, machine);
  const suggested = suggestions.find(({ best }) => best)?.model;
  if (json) {
    const models = suggestions.map(({ model, tokensPerSecond = null }) => ({ ...model, tokensPerSecond }));
    printJson({ machine, suggested: suggested?.id ?? null, models });
    return undefined;
  }
  if (process.stdin.isTTY && process.stdout.isTTY) return await ask(suggestions, suggested, machine);
  printTable(suggestions, columns, 'no models are known by name');
  const lines = [
    'MEMORY is for the model and four conversations of 8,192 tokens; with fewer or shorter ones it takes less.',
    `This machine: ${describeMachine(machine)}.`,
  ];
  for (const [what, model] of [
    ['To talk', suggested],
    ['Speech', curated.find(({ id }) => id === 'whisper-base')],
    ['To be read to', curated.find(({ kind }) => kind === 'voice')],
    ['Embeddings', curated.find(({ kind }) => kind === 'embedding')],
  ] as const)
    if (model !== undefined)
      lines.push(`${what}: ${shellCommand(['models', 'pull', model.id, ...sameFolder(config)])}`);
  process.stdout.write(`\n${lines.join('\n')}\n`);
  return undefined;
}

/** Such as `25 GB of memory, read at 38 GB/s by 2 cores`. */
function describeMachine({ memoryBytes, cores, memoryBytesPerSecond, gpu }: MachinePower): string {
  const speed = memoryBytesPerSecond === undefined ? '' : `, read at ${formatBytes(memoryBytesPerSecond)}/s`;
  const graphics = gpu === undefined ? '' : `; ${gpu.name} with ${formatBytes(gpu.memoryBytes)}`;
  return `${formatBytes(memoryBytes)} of memory${speed}, ${cores} ${cores === 1 ? 'core' : 'cores'}${graphics}`;
}

async function ask(
  suggestions: readonly Suggestion[],
  suggested: CuratedModel | undefined,
  machine: MachinePower,
): Promise<string | undefined> {
  const choice = await select({
    message: `Which model? This machine: ${describeMachine(machine)}.`,
    ...(suggested === undefined ? {} : { initialValue: suggested.id }),
    options: suggestions
      .filter(({ fits, best }) => fits || best)
      .map(({ model, tokensPerSecond, best }) => ({
        value: model.id,
        label: [
          model.id,
          formatBytes(model.sizeBytes),
          tokensPerSecond && `about ${roughly(tokensPerSecond)} tokens/s`,
          best && 'suggested',
        ]
          .filter(Boolean)
          .join(' · '),
        hint: model.goodFor,
      })),
  });
  return isCancel(choice) ? undefined : choice;
}

const columns: readonly Column<Suggestion>[] = [
  { title: 'ID', value: ({ model }) => model.id },
  { title: 'SIZE', value: ({ model }) => formatBytes(model.sizeBytes), align: 'right' },
  { title: 'MEMORY', value: ({ model }) => formatBytes(model.memoryBytes), align: 'right' },
  {
    title: 'TOKENS/S',
    value: ({ tokensPerSecond }) => (tokensPerSecond === undefined ? null : `~${roughly(tokensPerSecond)}`),
    align: 'right',
  },
  { title: 'LICENCE', value: ({ model }) => model.licence, giveWay: 1 },
  { title: 'GOOD FOR', value: ({ model }) => model.goodFor, giveWay: 'wrap' },
];

/** Rounded to two digits at most, because it is an estimate. */
export function roughly(tokensPerSecond: number): string {
  return String(Number(tokensPerSecond.toPrecision(tokensPerSecond < 10 ? 1 : 2)));
}
