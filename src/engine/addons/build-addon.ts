import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import { dirname, join } from 'node:path';
import {
  addonKey,
  addonRemedy,
  dependencyDir,
  findPrebuilt,
  installedAddonFile,
  installedDir,
  isSpecial,
  packageDir,
  type Addon,
} from './addon.ts';
import { addonTrouble } from './addon-trouble.ts';
import { removeOthers, unpackAddon } from './packed-addon.ts';

/** Why an addon could not be built, in words for whoever installs. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** How an addon is compiled. */
export interface AddonBuild {
  readonly addon: Addon;
  /** Tells apart files that are compiled from the same sources in several ways. */
  readonly variant: string;
  /** cmake's settings for it. `folder` is empty, and gone when the addon is compiled. */
  cmakeSettings(folder: string): readonly string[];
}

/** Path of the addon: the release's or the clone's, where it has one that loads here, else as `buildAddon` makes it. */
export function installAddon(build: AddonBuild, env: NodeJS.ProcessEnv): string {
  const prebuilt = isSpecial(build.addon, build.variant)
    ? undefined
    : (findPrebuilt(build.addon) ?? unpackAddon(build.addon));
  return prebuilt !== undefined && addonTrouble(build.addon, prebuilt) === undefined
    ? prebuilt
    : buildAddon(build, env);
}

/**
 * Path of the addon, built or taken from the user's cache, where every clone of the same version finds it. The target
 * and the file that its CMakeLists.txt makes are called `hearth_` and the addon's name. Throws BuildError.
 */
export function buildAddon(build: AddonBuild, env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') throw new BuildError(addonRemedy());
  const { addon, variant } = build;
  const key = addonKey(addon);
  const cached = join(cacheDir(env), `${addon.name}-${key}-${variant}.node`);
  // An addon that was built earlier may need a library that is gone.
  if (!existsSync(cached) || addonTrouble(addon, cached) !== undefined) {
    const check = (made: string): void => {
      const trouble = addonTrouble(addon, made);
      if (trouble !== undefined) throw new BuildError(`it was compiled and does not load: ${trouble}`);
    };
    compileAddon(build, cached, { check });
  }
  const installed = installedAddonFile(addon, key, variant);
  mkdirSync(installedDir, { recursive: true });
  copyWhole(cached, installed);
  removeOthers(addon, installed);
  return installed;
}

function cacheDir(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(os.homedir(), '.cache'), 'hearth');
}

/**
 * Compiles the addon into the file `target`, with more settings of cmake, if `check` does not throw when it is given
 * the path of the compiled file. Throws BuildError.
 */
export function compileAddon(
  build: AddonBuild,
  target: string,
  { settings = [], check }: { settings?: readonly string[]; check: (made: string) => void },
): void {
  const { addon } = build;
  mkdirSync(dirname(target), { recursive: true });
  const buildDir = mkdtempSync(join(dirname(target), 'build-'));
  try {
    const parts = join(buildDir, 'parts');
    mkdirSync(parts);
    const sourceDir = join(packageDir, addon.sourceDir);
    const all = [...cmakeSettingsOf(build, parts), ...settings];
    runTool('cmake', ['-S', sourceDir, '-B', join(buildDir, 'out'), ...all]);
    const jobs = String(os.availableParallelism());
    const product = `hearth_${addon.name}`;
    runTool('cmake', ['--build', join(buildDir, 'out'), '--target', product, '--parallel', jobs]);
    const made = join(buildDir, 'out', `${product}.node`);
    check(made);
    copyWhole(made, target);
  } finally {
    rmSync(buildDir, { recursive: true, force: true });
  }
}

/** All settings of cmake for a build. `folder` is as `cmakeSettings` wants it. */
export function cmakeSettingsOf(build: AddonBuild, folder: string): string[] {
  const headers = join(dependencyDir('node-api-headers'), 'include');
  return ['-DCMAKE_BUILD_TYPE=Release', `-DNODE_API_DIR=${headers}`, ...build.cmakeSettings(folder)];
}

/** Copies a file in one step, since another installation or the server may read it at the same time. */
function copyWhole(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  copyFileSync(from, unfinished);
  renameSync(unfinished, to);
}

const shownLines = 15;

/** Runs a tool of the compiler's kind to its end. Throws BuildError. */
export function runTool(tool: string, parameters: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync(tool, parameters, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: toolEnvironment(),
  });
  if (error !== undefined) throw new BuildError(`${tool} cannot be run (${error.message}); ${addonRemedy()}`);
  if (status === 0) return;
  const lines = `${stdout}\n${stderr}`.trim().split('\n').slice(-shownLines).join('\n');
  throw new BuildError(`${tool} failed:\n${lines}\nIf a tool is missing, ${addonRemedy()}`);
}

/** Without variables that a hook of git sets for the repository that it runs in: git would work there. */
function toolEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
}
