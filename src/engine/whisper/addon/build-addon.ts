import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { addonKey, installedAddonFile, nativeDir, speechRemedy, whisperPackageDir } from './addon-file.ts';
import { addonTrouble } from './addon-trouble.ts';

/** Why the addon could not be built, in words for whoever installs. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
}

/** What HEARTH_WHISPER_GPU may be at installation, and whisper.cpp's switch for it. */
const gpuSwitches: Readonly<Record<string, readonly string[]>> = {
  none: ['-DGGML_METAL=OFF'],
  cuda: ['-DGGML_CUDA=ON'],
  metal: ['-DGGML_METAL=ON', '-DGGML_METAL_EMBED_LIBRARY=ON'],
  vulkan: ['-DGGML_VULKAN=ON'],
};

/**
 * Path of the addon, built or taken from the user's cache, where every clone of the same version finds it.
 * Throws BuildError.
 */
export function buildAddon(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') throw new BuildError(speechRemedy());
  const gpu = env['HEARTH_WHISPER_GPU'] || 'none';
  const gpuSwitch = gpuSwitches[gpu];
  if (gpuSwitch === undefined) {
    const known = Object.keys(gpuSwitches).join(', ');
    throw new BuildError(`HEARTH_WHISPER_GPU must be one of ${known}, not "${gpu}"`);
  }
  const key = addonKey();
  const cached = join(cacheDir(env), `whisper-${key}-${gpu}.node`);
  // An addon that was built earlier may need a library that is gone.
  if (!existsSync(cached) || addonTrouble(cached) !== undefined) compile(cached, gpuSwitch);
  const installed = installedAddonFile(key);
  // Addons of earlier sources are removed. A process that has loaded one keeps it.
  rmSync(dirname(installed), { recursive: true, force: true });
  mkdirSync(dirname(installed), { recursive: true });
  copyWhole(cached, installed);
  return installed;
}

function cacheDir(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] || join(os.homedir(), '.cache'), 'hearth');
}

function compile(target: string, gpuSwitch: readonly string[]): void {
  mkdirSync(dirname(target), { recursive: true });
  const buildDir = mkdtempSync(join(dirname(target), 'build-'));
  try {
    const headers = dirname(createRequire(import.meta.url).resolve('node-api-headers/package.json'));
    const folders = [
      `-DWHISPER_CPP_DIR=${join(whisperPackageDir(), 'cpp/whisper.cpp')}`,
      `-DNODE_API_DIR=${join(headers, 'include')}`,
    ];
    const kind = ['-DCMAKE_BUILD_TYPE=Release', ...gpuSwitch];
    runTool('cmake', ['-S', nativeDir, '-B', buildDir, ...kind, ...folders]);
    const jobs = String(os.availableParallelism());
    runTool('cmake', ['--build', buildDir, '--target', 'hearth_whisper', '--parallel', jobs]);
    const addon = join(buildDir, 'hearth_whisper.node');
    const trouble = addonTrouble(addon);
    if (trouble !== undefined) throw new BuildError(`it was compiled and does not load: ${trouble}`);
    copyWhole(addon, target);
  } finally {
    rmSync(buildDir, { recursive: true, force: true });
  }
}

/** Copies a file in one step, since another installation or the server may read it at the same time. */
function copyWhole(from: string, to: string): void {
  const unfinished = `${to}.${process.pid}`;
  copyFileSync(from, unfinished);
  renameSync(unfinished, to);
}

const shownLines = 15;

function runTool(tool: string, parameters: readonly string[]): void {
  const { error, status, stdout, stderr } = spawnSync(tool, parameters, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined)
    throw new BuildError(`${tool} cannot be run (${error.message}); ${speechRemedy()}`);
  if (status === 0) return;
  const lines = `${stdout}\n${stderr}`.trim().split('\n').slice(-shownLines).join('\n');
  throw new BuildError(`${tool} failed:\n${lines}\nIf a tool is missing, ${speechRemedy()}`);
}
