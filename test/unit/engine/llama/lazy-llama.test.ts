import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const source = (name: string) => JSON.stringify(new URL(`../../../../src/${name}`, import.meta.url).href);

/** Prints the arguments of the processes that opening the library starts; none may have opened it before in this one. */
const program = `
  import { subscribe } from 'node:diagnostics_channel';
  import { LazyLlama } from ${source('engine/llama/lazy-llama.ts')};
  import { createLog } from ${source('telemetry/log.ts')};
  const started = [];
  subscribe('child_process', ({ process: child }) => setImmediate(() => started.push(child.spawnargs)));
  const llama = new LazyLlama(createLog({ level: 'silent' }), false);
  // As the server does first.
  await llama.devices();
  await llama.dispose();
  console.log(JSON.stringify(started));`;

it('opens the library for the CPU without a process that tries its binary first', async () => {
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(JSON.parse(stdout)).toEqual([]);
});
