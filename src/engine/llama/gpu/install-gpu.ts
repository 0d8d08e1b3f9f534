import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { CliError } from '../../../errors/operator-errors.ts';
import { gpuFolder, gpuPackages, llamaVersion, type GpuKind } from './gpu-packages.ts';

/**
 * Names of the packages that npm fetched from its registry and checked, in place of those that were there.
 * Throws CliError: the folder stays as it was.
 */
export function installGpu(kinds: readonly GpuKind[]): readonly string[] {
  const names = gpuPackages(kinds);
  if (names.length === 0)
    throw new CliError(
      `llama.cpp comes with no builds for GPUs on ${process.platform} ${process.arch} besides Metal`,
    );
  const unfinished = `${gpuFolder}.${process.pid}`;
  try {
    const version = llamaVersion();
    const manifest = {
      private: true,
      dependencies: Object.fromEntries(names.map((name) => [name, version])),
    };
    mkdirSync(unfinished);
    writeFileSync(join(unfinished, 'package.json'), JSON.stringify(manifest));
    runNpm(unfinished);
    rmSync(gpuFolder, { recursive: true, force: true });
    renameSync(unfinished, gpuFolder);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${gpuFolder} cannot be written`, 'run this as the owner of the folder', error);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return names;
}

/** Settings of an npm that runs hearth's own installation, such as --global, hold for that one only. */
const npmFlags = [
  '--global=false',
  '--location=project',
  '--workspaces=false',
  '--ignore-scripts',
  '--package-lock=false',
  '--audit=false',
  '--fund=false',
  '--loglevel=error',
];

function runNpm(folder: string): void {
  const parameters = ['install', `--prefix=${folder}`, ...npmFlags];
  const script = npmScript();
  const { error, status } =
    script === undefined
      ? spawnSync('npm', parameters, { cwd: folder, stdio: 'inherit' })
      : spawnSync(process.execPath, [script, ...parameters], { cwd: folder, stdio: 'inherit' });
  if (error !== undefined) throw new CliError(`npm cannot be run: ${error.message}`);
  if (status !== 0) throw new CliError('npm could not install the packages', 'its message stands above');
}

/** The npm that started this process, or the one beside Node; undefined: whatever is called npm. */
function npmScript(): string | undefined {
  const own = process.env['npm_execpath'];
  if (own !== undefined && basename(own) === 'npm-cli.js') return own;
  const beside = join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js');
  return existsSync(beside) ? beside : undefined;
}
