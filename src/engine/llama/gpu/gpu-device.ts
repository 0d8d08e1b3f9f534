import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
