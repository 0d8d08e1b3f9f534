import { Argument, type Command } from 'commander';
import type { GpuKind } from '../engine/llama/gpu/gpu-packages.ts';
import { CliError } from '../errors/operator-errors.ts';
import { orFail } from './output.ts';

export function registerGpuCommand(program: Command): void {
  const gpu = program
    .command('gpu')
    .description('builds of llama.cpp for GPUs, which machines without one do not get');
  gpu
    .command('install')
    .description('get the builds for the GPU of this machine by npm, 70 to 610 MB')
    .addArgument(new Argument('[kind...]', 'in place of what this machine has').choices(['cuda', 'vulkan']))
    .action((kinds: GpuKind[]) => orFail(() => install(kinds)));
}

async function install(named: readonly GpuKind[]): Promise<void> {
  const { examineGpu } = await import('../engine/llama/gpu/gpu-packages.ts');
  const { installGpu } = await import('../engine/llama/gpu/install-gpu.ts');
  const { isThere, kinds } = await examineGpu();
  const wanted = named.length > 0 ? named : kinds;
  if (wanted.length === 0)
    throw isThere
      ? new CliError('this GPU’s libraries are missing', librariesHint)
      : new CliError('this machine shows no GPU that needs a build of its own', 'name one: cuda or vulkan');
  process.stdout.write(
    `Installed: ${installGpu(wanted).join(', ')}\nhearth uses them from its next start.\n`,
  );
}

/** The remedy where a GPU is there, and neither CUDA nor Vulkan. */
export const librariesHint = 'install CUDA (libcudart, libcublas), or a Vulkan driver and libvulkan1';
