/** Has hearth compute on this machine's GPU all that it computes on the processor, and compares the answers. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { checks } from './try-gpu/checks.ts';
import { GpuServers } from './try-gpu/gpu-servers.ts';

const help = `Tries a GPU: each check in a server of its own, so that a fault of a driver ends one row of the table.

Usage: node scripts/release/try-gpu.ts [--only NAME] [--software]

  --only NAME  checks whose names begin so
  --software   Mesa's llvmpipe, a Vulkan driver that computes on the processor, in place of a card
               (Debian: mesa-vulkan-drivers libvulkan1)

Needs llama.cpp's build for the GPU: hearth gpu install. Prints the device, and a row for each check. The exit status is
1 where an answer is not the processor's, or a server ended that was to go on.
`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    software: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) process.stdout.write(help);
else process.exitCode = (await tryGpu(values.only, values.software)) ? 0 : 1;

async function tryGpu(only: string, isSoftware: boolean): Promise<boolean> {
  // llama.cpp leaves out devices that compute on the processor, unless they are named.
  const env = isSoftware ? { GGML_VK_VISIBLE_DEVICES: '0' } : {};
  const device = deviceOf(env);
  console.log(`gpu: ${device ?? 'none'}`);
  if (device === undefined) return false;
  let isRight = true;
  for (const [name, check] of Object.entries(checks)) {
    if (!name.startsWith(only)) continue;
    const startedMs = performance.now();
    await using servers = new GpuServers(env, isSoftware);
    let finding: string;
    try {
      finding = `ok: ${await check(servers)}`;
    } catch (error) {
      isRight = false;
      await setTimeout(1000);
      finding = `WRONG: ${servers.ended ?? (error instanceof Error ? error.message : String(error))}`;
    }
    console.log(`${name} (${((performance.now() - startedMs) / 1000).toFixed(0)} s)  ${finding}`);
  }
  return isRight;
}

/** The GPU as `hearth doctor` names it; undefined: models would run on the processor. */
function deviceOf(env: Readonly<Record<string, string>>): string | undefined {
  const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
  const dataDir = mkdtempSync(join(tmpdir(), 'hearth-try-gpu-'));
  const { stdout } = spawnSync(process.execPath, [cli, 'doctor', '--json', '--data-dir', dataDir], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  rmSync(dataDir, { recursive: true });
  const rows = JSON.parse(stdout) as readonly { subject: string; state: string; finding: string }[];
  const found = rows.find(({ subject }) => subject === 'gpu')?.finding;
  return found?.includes(': ') === true ? found : undefined;
}
