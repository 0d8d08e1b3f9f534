import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { LazyLlama } from '../../../../src/engine/llama/lazy-llama.ts';
import { createLog } from '../../../../src/telemetry/log.ts';

it('opens the library for the CPU without a process that tries its binary first', async () => {
  const started: (readonly string[])[] = [];
  subscribe('child_process', (message) => {
    const { process: child } = message as { process: ChildProcess };
    setImmediate(() => started.push(child.spawnargs));
  });
  const llama = new LazyLlama(createLog({ level: 'silent' }), false);
  // As the server does first.
  await llama.devices();
  await llama.dispose();
  expect(started).toEqual([]);
});
