import { isCancel, select } from '@clack/prompts';
import { loadCuratedModels, suggestModel, type CuratedModel } from '../catalog/curated-models.ts';
import { formatBytes } from '../catalog/download/format-bytes.ts';
import { pullModel, type PulledModel } from '../catalog/download/pull.ts';
import type { LiveCatalog } from '../catalog/catalog.ts';
import { namingOf } from '../catalog/pull-naming.ts';
import { findPullTarget, unknownPullName, type PullTarget } from '../catalog/pull-target.ts';
import { modelIdPattern, modelIdRule } from '../catalog/model-source.ts';
import { curatedModelsFile } from '../config/paths.ts';
import type { Config } from '../config/types.ts';
import { CliError } from './cli-error.ts';
import { machineMemoryBytes } from './machine-memory.ts';
import { printJson, printTable, type Column } from './output.ts';
import { openProgressDisplay } from './pull-progress.ts';

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
  const chosen = name ?? (await suggest(curated, options));
  if (chosen === undefined) return undefined;
  const target = findTarget(chosen, config, curated);
  const { sha256 = target.sha256, id } = options;
  if (id !== undefined && !modelIdPattern.test(id)) throw new CliError(`--id ${modelIdRule}`);
  return await pullWithProgress({ ...target, sha256, id }, config, catalog);
}

/** Ask on a terminal; elsewhere print what there is, with this machine's best choice. */
async function suggest(
  curated: readonly CuratedModel[],
  { json }: PullCommandOptions,
): Promise<string | undefined> {
  const memoryBytes = machineMemoryBytes();
  const suggested = suggestModel(curated, memoryBytes);
  if (json === true) {
    printJson({ memoryBytes, suggested: suggested?.id ?? null, models: curated });
    return undefined;
  }
  if (process.stdin.isTTY && process.stdout.isTTY) return await ask(curated, suggested, memoryBytes);
  printTable(curated, curatedColumns, 'no models are known by name');
  if (suggested !== undefined) {
    process.stdout.write(`\nFor this machine (${gib(memoryBytes)}): hearth models pull ${suggested.id}\n`);
  }
  return undefined;
}

async function ask(
  curated: readonly CuratedModel[],
  suggested: CuratedModel | undefined,
  memoryBytes: number,
): Promise<string | undefined> {
  const choice = await select({
    message: `Which model? This machine has ${gib(memoryBytes)} of memory.`,
    ...(suggested === undefined ? {} : { initialValue: suggested.id }),
    options: curated
      .filter((model) => model.memoryBytes <= memoryBytes || model === suggested)
      .map(({ id, sizeBytes, goodFor }) => ({
        value: id,
        label: `${id} · ${formatBytes(sizeBytes)}${id === suggested?.id ? ' · suggested' : ''}`,
        hint: goodFor,
      })),
  });
  return isCancel(choice) ? undefined : choice;
}

const curatedColumns: readonly Column<CuratedModel>[] = [
  { title: 'ID', value: ({ id }) => id },
  { title: 'SIZE', value: ({ sizeBytes }) => formatBytes(sizeBytes), align: 'right' },
  { title: 'MEMORY', value: ({ memoryBytes }) => gib(memoryBytes), align: 'right' },
  { title: 'LICENCE', value: ({ licence }) => licence },
  { title: 'GOOD FOR', value: ({ goodFor }) => goodFor },
];

/** Throws CliError for a name that stands for nothing. */
function findTarget(name: string, config: Config, curated: readonly CuratedModel[]): PullTarget {
  const target = findPullTarget(name, config.models, curated);
  if (target !== undefined) return target;
  const { near, searchUrl } = unknownPullName(name, config.models, curated);
  const suggestion = near.length > 0 ? `did you mean ${near.join(', ')}? ` : '';
  throw new CliError(
    `no model "${name}" is known by name`,
    `${suggestion}"hearth models pull" lists the known ones; others are at ${searchUrl}: ` +
      'pull them as hf:Owner/Repository:QUANT',
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
  const display = openProgressDisplay(process.stderr);
  try {
    return await pullModel(source, {
      folder: config.pulledModelsDir,
      sha256,
      id,
      naming: namingOf(source, catalog.list(), config.models),
      signal: controller.signal,
      onProgress: (progress) => display.update(progress),
    });
  } finally {
    display.close();
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
  }
}

function gib(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
