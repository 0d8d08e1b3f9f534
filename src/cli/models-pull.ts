import { loadCuratedModels, type CuratedModel } from '../catalog/curated-models.ts';
import { pullModel } from '../catalog/download/pull.ts';
import type { PulledModel } from '../catalog/download/pull-types.ts';
import { findPullTarget, nearestPullNames, type PullTarget } from '../catalog/pull-target.ts';
import { curatedModelsFile } from '../config/paths.ts';
import type { Config } from '../config/types.ts';
import { CliError } from './cli-error.ts';
import { sameFolder, shellCommand } from './own-command.ts';
import { openProgressDisplay } from './pull-progress.ts';
import { suggestModel } from './suggest-model.ts';

export interface PullCommandOptions {
  readonly json?: boolean | undefined;
  readonly sha256?: string | undefined;
}

/** Pulls what `name` stands for and gives it back; undefined when there was only a list to be shown. */
export async function pullByName(
  name: string | undefined,
  config: Config,
  options: PullCommandOptions,
): Promise<PulledModel | undefined> {
  const curated = loadCuratedModels(curatedModelsFile);
  const chosen = name ?? (await suggestModel(curated, config, options.json === true));
  if (chosen === undefined) return undefined;
  const target = findTarget(chosen, config, curated);
  return await pullWithProgress({ ...target, sha256: options.sha256 ?? target.sha256 }, config);
}

/** Throws CliError for a name that stands for nothing. */
function findTarget(name: string, config: Config, curated: readonly CuratedModel[]): PullTarget {
  const target = findPullTarget(name, config.models, curated);
  if (target !== undefined) return target;
  const near = nearestPullNames(name, config.models, curated);
  throw new CliError(
    `no model "${name}" is known by name`,
    near.length > 0
      ? `did you mean ${near.join(', ')}?`
      : `write hf:Owner/Repository:QUANT, or for a list: ${shellCommand(['models', 'pull', ...sameFolder(config)])}`,
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
