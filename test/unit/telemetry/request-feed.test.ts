import { expect, it } from 'vitest';
import { RequestFeed } from '../../../src/telemetry/request-feed.ts';

it('counts no request as failed that somebody stopped', () => {
  const feed = new RequestFeed();
  const request = { endedAtMs: 0, requestId: '', durationMs: 1, model: 'tiny', route: '/v1/responses' };
  feed.add({ ...request, status: 499, stopped: true });
  for (let index = 0; index < 100; index++) feed.add({ ...request, status: 200 });
  expect(feed.last.filter(({ status }) => status === 499)).toEqual([]);
});

it('keeps a hundred requests, and a hundred that failed before them', () => {
  const feed = new RequestFeed();
  const add = (name: string, status: number) =>
    feed.add({ endedAtMs: 0, status, requestId: name, durationMs: 1, model: 'tiny', route: '/v1/responses' });
  for (let index = 0; index < 150; index++) add(`failed ${index}`, 500);
  for (let index = 0; index < 120; index++) add(`answered ${index}`, 200);
  const names = feed.last.map(({ requestId }) => requestId);
  expect(names).toHaveLength(200);
  expect([names[0], names[99], names[100], names.at(-1)]).toEqual([
    'failed 50',
    'failed 149',
    'answered 20',
    'answered 119',
  ]);
});
