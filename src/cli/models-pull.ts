import os from 'node:os';
import { join } from 'node:path';
import { isCancel, select } from '@clack/prompts';
import { loadCuratedModels, suggestModel, type CuratedModel } from '../catalog/curated-models.ts';
import { formatBytes } from '../catalog/download/format-bytes.ts';
import { pullModel } from '../catalog/download/pull.ts';
import type { PulledModel } from '../catalog/download/pull-types.ts';
import { nearestNames } from '../catalog/nearest-names.ts';
import { packageModelsDir } from '../config/paths.ts';
import type { Config } from '../config/types.ts';
import { CliError } from './cli-error.ts';
import { printJson, printTable, type Column } from './output.ts';
import { openProgressDisplay } from './pull-progress.ts';

export interface PullCommandOptions {
  readonly json?: boolean | undefined;
  readonly sha256?: string | undefined;
}

/** What is to be pulled. */
interface PullTarget {
  readonly source: string;
  readonly sha256: string | undefined;
}

/** Pulls what `name` stands for and gives it back; undefined when there was only a list to be shown. */
export async function pullByName(
  name: string | undefined,
  config: Config,
  options: PullCommandOptions,
): Promise<PulledModel | undefined> {
  const curated = loadCuratedModels(join(packageModelsDir, 'catalog.yaml'));
  const chosen = name ?? (await suggest(curated, options));
  if (chosen === undefined) return undefined;
  const target = findTarget(chosen, config, curated);
  return await pullWithProgress({ ...target, sha256: options.sha256 ?? target.sha256 }, config);
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

/** A source as it stands, a configured model, or a curated one. */
function findTarget(name: string, config: Config, curated: readonly CuratedModel[]): PullTarget {
  if (/^(?:hf:|https?:\/\/)/i.test(name)) {
    const configured = config.models.find(({ source }) => source === name);
    return { source: name, sha256: configured?.sha256 };
  }
  const configured = config.models.find(({ id, aliases }) => id === name || aliases.includes(name));
  if (configured?.source !== undefined) return { source: configured.source, sha256: configured.sha256 };
  const known = curated.find(({ id }) => id === name.toLowerCase());
  if (known !== undefined) return { source: known.source, sha256: undefined };
  const names = [...config.models.map(({ id }) => id), ...curated.map(({ id }) => id)];
  const near = nearestNames(name, names, 3);
  throw new CliError(
    `no model "${name}" is known by name`,
    near.length > 0
      ? `did you mean ${near.join(', ')}?`
      : 'write hf:Owner/Repository:QUANT, or "hearth models pull" for a list',
  );
}

async function pullWithProgress(target: PullTarget, config: Config): Promise<PulledModel> {
  const controller = new AbortController();
  const onInterrupt = (): void =>
    controller.abort(new CliError('stopped', 'what came is kept: the same command goes on from there'));
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  const display = openProgressDisplay(process.stderr);
  try {
    return await pullModel(target.source, {
      folder: config.pulledModelsDir,
      sha256: target.sha256,
      signal: controller.signal,
      onProgress: (progress) => display.update(progress),
    });
  } finally {
    display.close();
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
  }
}

/** Of this machine, or of the container that this runs in. */
function machineMemoryBytes(): number {
  const constrainedBytes = process.constrainedMemory();
  return constrainedBytes > 0 ? Math.min(constrainedBytes, os.totalmem()) : os.totalmem();
}

function gib(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}
