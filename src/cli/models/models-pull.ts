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
import { openProgressDisplay } from './pull-progress.ts';
import { suggestModel } from './suggest-model.ts';

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
