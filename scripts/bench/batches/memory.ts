import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createModelsDir, tinyModel } from '../../../test/support/models/tiny-model.ts';
import { chatLine, createBatch, toJsonl } from '../../../test/support/server/batches.ts';
import { openClient } from '../../../test/support/server/chat-client.ts';
import { startServer } from '../../../test/support/server/start-server.ts';
import { processRssBytes } from '../figures/proc.ts';

const sampleMs = 250;
const steps = 10;

/** Prints the memory of the server at each tenth of a batch. */
export async function measureMemory(count: number): Promise<void> {
  const modelsDir = await createModelsDir({ tiny: await tinyModel() });
  const config = { demo: false, models: [{ id: 'tiny', threads: 1 }] };
  const server = await startServer({ modelsDirs: [modelsDir], config });
  try {
    const client = openClient(server);
    const lines = Array.from({ length: count }, (_, index) =>
      chatLine(`line-${index}`, 'tiny', `Number ${index}`, { max_tokens: 1 }),
    );
    const startedAtMs = performance.now();
    const { id } = await createBatch(client, toJsonl(lines));
    const mebibytes = () => (processRssBytes(server.pid) ?? Number.NaN) / 2 ** 20;
    let [next, most] = [0, 0];
    while (true) {
      const { status, request_counts: counts } = await client.batches.retrieve(id);
      const done = counts?.completed ?? 0;
      most = Math.max(most, mebibytes());
      if (done >= (next * count) / steps || status === 'completed') {
        const seconds = (performance.now() - startedAtMs) / 1000;
        console.log(`${done} lines after ${seconds.toFixed(0)} s: ${mebibytes().toFixed(0)} MiB`);
        next++;
      }
      if (status === 'completed') break;
      await sleep(sampleMs);
    }
    console.log(`at most ${most.toFixed(0)} MiB`);
  } finally {
    await server.stop();
    await rm(modelsDir, { recursive: true, force: true });
  }
}
