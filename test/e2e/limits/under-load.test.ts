import { expect, it } from 'vitest';
import { runKills } from '../../../scripts/load/limits/kills.ts';
import { runSteadyLoad } from '../../../scripts/load/limits/steady-load.ts';

it('64 clients on one key at twice its limit get what the policy allows', { timeout: 120_000 }, async () => {
  const report = await runSteadyLoad({ clients: 64, seconds: 5, requestsPerMinute: 1200 });
  expect(report.problems).toEqual([]);
  expect(report.admitted).toBeGreaterThan(90);
  expect(report.refused).toBeGreaterThan(50);
});

it('kill -9 in the middle of that leaves the books whole', { timeout: 120_000 }, async () => {
  const report = await runKills({ clients: 64, kills: 2, longestLoadMs: 1000 });
  expect(report.problems).toEqual([]);
  expect(report.answered).toBeGreaterThan(100);
});
