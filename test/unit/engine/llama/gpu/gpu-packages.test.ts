import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  findGpu,
  gpuKinds,
  gpuPackages,
  llamaVersion,
} from '../../../../../src/engine/llama/gpu/gpu-packages.ts';

const scratch = mkdtempSync(join(tmpdir(), 'hearth-gpu-'));
afterAll(() => rmSync(scratch, { recursive: true }));

/** A folder like the root of a machine with these files. */
function machine(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(scratch, 'root-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

describe('a GPU is told', () => {
  const vendor = 'sys/class/drm/renderD128/device/vendor';
  it.each<[string, NodeJS.Platform, Record<string, string>, ReturnType<typeof findGpu>]>([
    ['by NVIDIA’s driver', 'linux', { 'dev/nvidiactl': '' }, 'nvidia'],
    ['by NVIDIA’s driver in WSL', 'linux', { 'usr/lib/wsl/lib/libcuda.so.1': '' }, 'nvidia'],
    ['by the maker of a card', 'linux', { [vendor]: '0x1002\n' }, 'other'],
    ['from the display of a virtual machine', 'linux', { [vendor]: '0x1af4\n' }, undefined],
    ['from a machine without one', 'linux', {}, undefined],
    ['on Windows', 'win32', { 'Windows/System32/nvcuda.dll': '' }, 'nvidia'],
    ['on Windows without NVIDIA', 'win32', { 'Windows/System32/vulkan-1.dll': '' }, 'other'],
    ['nowhere on a Mac, whose build is always there', 'darwin', { 'dev/nvidiactl': '' }, undefined],
  ])('%s', (_name, platform, files, expected) => {
    expect(findGpu({ platform, root: machine(files) })).toBe(expected);
  });
});

describe('the packages for GPUs', () => {
  const manifestOf = (path: string) =>
    JSON.parse(readFileSync(new URL(`../../../../../${path}/package.json`, import.meta.url), 'utf8')) as {
      version: string;
      optionalDependencies: Record<string, string>;
    };

  it('are of node-llama-cpp’s version, as those for processors', () => {
    const { version } = manifestOf('node_modules/node-llama-cpp');
    expect(llamaVersion()).toBe(version);
    expect(new Set(Object.values(manifestOf('.').optionalDependencies))).toEqual(new Set([version]));
  });

  it('are those that node-llama-cpp would bring, and no others', () => {
    const brought = Object.keys(manifestOf('node_modules/node-llama-cpp').optionalDependencies);
    const own = Object.keys(manifestOf('.').optionalDependencies);
    const forGpus = (['linux', 'win32'] as const).flatMap((platform) =>
      gpuPackages(gpuKinds, { platform, arch: 'x64' }),
    );
    // Node itself is no longer made for 32-bit ARM.
    expect([...own, ...forGpus, '@node-llama-cpp/linux-armv7l'].toSorted()).toEqual(brought.toSorted());
  });

  it('are none where llama.cpp has none', () => {
    expect(gpuPackages(gpuKinds, { platform: 'linux', arch: 'arm64' })).toEqual([]);
    expect(gpuPackages(gpuKinds, { platform: 'darwin', arch: 'arm64' })).toEqual([]);
  });
});
