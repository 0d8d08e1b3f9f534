/**
 * llama.cpp's builds for GPUs, 70 to 540 MB each. They are no dependencies, so that machines without a GPU go without
 * them: install-gpu.ts puts them into a folder of their own.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Isolation } from '../../model-backend.ts';

export type GpuKind = 'cuda' | 'vulkan';

export const gpuKinds: readonly GpuKind[] = ['cuda', 'vulkan'];

/** The package's folder: src and dist lie equally deep in it. */
const packageDir = fileURLToPath(new URL('../../../../', import.meta.url));
export const gpuFolder = join(packageDir, 'gpu');

/** Version of all packages of llama.cpp's builds, which must be that of node-llama-cpp. */
export function llamaVersion(): string {
  const { optionalDependencies } = readManifest(packageDir) as {
    optionalDependencies: Record<string, string>;
  };
  const [version] = Object.values(optionalDependencies);
  if (version === undefined) throw new Error('package.json names no build of llama.cpp');
  return version;
}

/** Names of the packages that make llama.cpp use GPUs of these kinds here; empty where there are none. */
export function gpuPackages(
  kinds: readonly GpuKind[],
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
): string[] {
  const system = { linux: 'linux', win32: 'win' }[platform as string];
  if (system === undefined || arch !== 'x64') return [];
  const prefix = `@node-llama-cpp/${system}-x64`;
  return kinds.flatMap((kind) =>
    // The second holds the kernels for older drivers and cards.
    kind === 'cuda' ? [`${prefix}-cuda`, `${prefix}-cuda-ext`] : [`${prefix}-vulkan`],
  );
}

/** Whether the machine has a GPU for llama.cpp, and the libraries and packages for it. */
export interface GpuSituation {
  /** The machine shows a GPU that llama.cpp has builds for. */
  readonly isThere: boolean;
  /** The kinds whose libraries the machine has, the best first. */
  readonly kinds: readonly GpuKind[];
  /** Packages for these that are not installed. */
  readonly missing: readonly string[];
}

/** Looks at the machine and at installed packages; loads no driver. */
export async function examineGpu(): Promise<GpuSituation> {
  if (findGpu() === undefined || gpuPackages(gpuKinds).length === 0)
    return { isThere: false, kinds: [], missing: [] };
  const { getLlamaGpuTypes } = await import('node-llama-cpp');
  const usable = new Set<unknown>(await getLlamaGpuTypes('supported'));
  const kinds = gpuKinds.filter((kind) => usable.has(kind));
  const missing = gpuPackages(kinds).filter((name) => !isInstalled(name));
  return { isThere: true, kinds, missing };
}

/**
 * Where models run: as `set` says, else in processes of their own where CUDA or Vulkan computes, whose faults end the
 * process. Told by files: nothing is loaded.
 */
export const isolationFor = (set: Isolation | undefined): Isolation =>
  set ??
  (findGpu() !== undefined && gpuPackages(gpuKinds).some((name) => isInstalled(name)) ? 'process' : 'none');

/** Whether the package lies in the folder for GPUs, or beside hearth's other packages. */
function isInstalled(name: string): boolean {
  if (isInGpuFolder(name)) return true;
  for (let folder = packageDir; dirname(folder) !== folder; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    // In a clone empty packages stand for those that are left out.
    if (existsSync(join(found, 'package.json'))) return readManifest(found)['name'] === name;
  }
  return false;
}

function isInGpuFolder(name: string): boolean {
  const folder = join(gpuFolder, 'node_modules', name);
  return existsSync(join(folder, 'package.json')) && readManifest(folder)['version'] === llamaVersion();
}

function readManifest(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
}

let isRedirected = false;

/** Has node-llama-cpp find the packages in the folder for GPUs, which no import would look into. */
export function useGpuFolder(): void {
  if (isRedirected || !existsSync(gpuFolder)) return;
  isRedirected = true;
  const parentURL = pathToFileURL(join(gpuFolder, 'package.json')).href;
  const names = new Set(gpuPackages(gpuKinds).filter(isInGpuFolder));
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier, names.has(specifier) ? { ...context, parentURL } : context),
  });
}

/** PCI numbers of makers whose GPUs llama.cpp computes on: AMD, Intel, NVIDIA. Virtual machines show others. */
const makers: ReadonlySet<string> = new Set(['0x1002', '0x8086', '0x10de']);

interface Machine {
  readonly platform: NodeJS.Platform;
  /** Folder that stands for the root of the file system, or for the system drive of Windows. */
  readonly root: string;
}

const thisMachine: Machine = {
  platform: process.platform,
  root: process.platform === 'win32' ? `${process.env['SystemDrive'] ?? 'C:'}\\` : '/',
};

/** Whether the machine shows a GPU, told by files of its drivers, without loading any. On a Mac no driver is missing. */
export function findGpu({ platform, root }: Machine = thisMachine): 'nvidia' | 'other' | undefined {
  const has = (path: string): boolean => existsSync(join(root, path));
  if (platform === 'win32') {
    if (has('Windows/System32/nvcuda.dll')) return 'nvidia';
    return has('Windows/System32/vulkan-1.dll') ? 'other' : undefined;
  }
  if (platform !== 'linux') return undefined;
  // The second is NVIDIA's driver in WSL.
  if (has('dev/nvidiactl') || has('usr/lib/wsl/lib/libcuda.so.1')) return 'nvidia';
  return renderers(root).some((maker) => makers.has(maker)) ? 'other' : undefined;
}

/** Makers of the devices that can draw. */
function renderers(root: string): string[] {
  const folder = join(root, 'sys/class/drm');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith('renderD'))
    .map((name) => join(folder, name, 'device/vendor'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8').trim());
}
