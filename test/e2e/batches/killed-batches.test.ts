import { expect, it } from 'vitest';
import { runKilledBatch } from '../../../scripts/load/batches/killed-batch.ts';

it('gives each line one result and one charge, however often the server is killed', async () => {
  const { batch, problems } = await runKilledBatch({ lines: 120, models: 1, kills: 2, longestMs: 500 });
  expect(problems).toEqual([]);
  expect(batch.request_counts).toEqual({ total: 120, completed: 108, failed: 12 });
});
