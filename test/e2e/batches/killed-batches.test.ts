import { expect, it } from 'vitest';
import { runKilledBatch } from '../../../scripts/load/batches/killed-batch.ts';

it('gives each line one result and one charge, however often the server is killed', async () => {
  const { batch, problems } = await runKilledBatch({ lines: 240, models: 2, kills: 3, longestMs: 600 });
  expect(problems).toEqual([]);
  expect(batch.request_counts).toEqual({ total: 240, completed: 216, failed: 24 });
});
