import { afterEach, beforeEach, expect, it } from 'vitest';
import { deleteOldLedgerRows } from '../../../../src/upkeep/retention.ts';
import { queryUsage, queryUsageInSlices, usageGroupings } from '../../../../src/limits/reports/usage.ts';
import { openLimiter, principalOf, refusalOf, requestOf, settlementOf, startMs } from '../fixture.ts';

const dayMs = 86_400_000;
let fixture: ReturnType<typeof openLimiter>;

beforeEach(() => {
  fixture = openLimiter({});
  const { limiter, clock } = fixture;
  const use = (keyId: string, modelId: string, promptTokens: number, refundRequest = false) =>
    limiter.admit(requestOf({ principal: principalOf(keyId), modelId })).settle(
      settlementOf({
        promptTokens,
        completionTokens: 1,
        audioSeconds: 0.25,
        refundRequest,
        // It failed within its stream.
        ...(refundRequest && { errorStatus: 503 }),
      }),
    );
  use('key_1', 'a', 1);
  use('key_1', 'b', 10, true);
  clock.nowMs += dayMs;
  use('key_2', 'a', 100);
});
afterEach(() => fixture.temp.dispose());

const groups = (query: Parameters<typeof queryUsage>[1]) =>
  queryUsage(fixture.temp.store, query).map(({ group, promptTokens }) => [group, promptTokens]);

it('sums by account, key, model and day', () => {
  expect(queryUsage(fixture.temp.store, { by: 'account' })).toEqual([
    {
      startMs: 0,
      group: 'acct_1',
      label: 'acct_1',
      requests: 3,
      refunded: 1,
      failed: 1,
      refused: 0,
      promptTokens: 111,
      cachedTokens: 0,
      completionTokens: 3,
      audioSeconds: 0.75,
    },
  ]);
  expect(groups({ by: 'key' })).toEqual([
    ['key_1', 11],
    ['key_2', 100],
  ]);
  expect(groups({ by: 'model' })).toEqual([
    ['a', 101],
    ['b', 10],
  ]);
  expect(groups({ by: 'day' })).toEqual([
    ['2026-11-20', 11],
    ['2026-11-21', 100],
  ]);
});

it('narrows down', () => {
  expect(groups({ by: 'model', keyId: 'key_1' })).toEqual([
    ['a', 1],
    ['b', 10],
  ]);
  expect(groups({ by: 'model', modelId: 'a', accountId: 'acct_1' })).toEqual([['a', 101]]);
  expect(groups({ by: 'day', fromMs: startMs + 1 })).toEqual([['2026-11-21', 100]]);
  expect(groups({ by: 'day', toMs: startMs + 1 })).toEqual([['2026-11-20', 11]]);
  expect(groups({ by: 'day', accountId: 'nobody' })).toEqual([]);
});

it('sums up the same in slices, without keeping the event loop', async () => {
  const { limiter, clock, temp } = fixture;
  for (let index = 0; index < 60; index += 1) {
    clock.nowMs += Math.floor((index * index * dayMs) / 3000);
    limiter
      .admit(requestOf({ principal: principalOf(`key_${index % 3}`), modelId: `model-${index % 4}` }))
      .settle(settlementOf({ promptTokens: index, completionTokens: 1, audioSeconds: 0.1 }));
  }
  const fromMs = startMs + 2 * dayMs;
  for (const by of usageGroupings) {
    for (const narrowed of [
      {},
      { fromMs },
      { toMs: fromMs },
      { fromMs, toMs: fromMs + dayMs, keyId: 'key_1' },
    ]) {
      let turns = 0;
      const counting = setInterval(() => (turns += 1), 0);
      expect(await queryUsageInSlices(temp.store, { by, ...narrowed })).toEqual(
        queryUsage(temp.store, { by, ...narrowed }),
      );
      clearInterval(counting);
      if (Object.keys(narrowed).length === 0) expect(turns).toBeGreaterThan(0);
    }
  }
});

it('names accounts and keys where they are known', () => {
  const { store } = fixture.temp;
  store.accounts.insert({ id: 'acct_1', name: 'alice', plan: 'trial', planSetAtMs: 0, createdAtMs: 0 });
  expect(queryUsage(store, { by: 'account' })[0]?.label).toBe('alice');
});

it('forgets what is older than the retention, and keeps everything without one', () => {
  const { temp, clock } = fixture;
  expect(deleteOldLedgerRows(temp.store, undefined, clock.nowMs + 1000 * dayMs)).toBe(0);
  expect(deleteOldLedgerRows(temp.store, dayMs, clock.nowMs)).toBe(0);
  expect(deleteOldLedgerRows(temp.store, dayMs, clock.nowMs + 1)).toBe(2);
  expect(groups({ by: 'key' })).toEqual([['key_2', 100]]);
});

it('counts what limits refuse, by minute, key and model, and forgets it with the rest', async () => {
  const { limiter, clock, temp } = openLimiter({ requests: { minute: 1 } });
  const ask = (keyId: string) =>
    refusalOf(limiter, requestOf({ principal: principalOf(keyId), modelId: 'a' }));
  for (const keyId of ['key_1', 'key_1', 'key_1', 'key_2', 'key_2']) ask(keyId);
  clock.nowMs += 30_000;
  ask('key_1');
  limiter.writeRefusals();
  limiter.writeRefusals();
  const refused = async (by: 'key' | 'model') =>
    (await queryUsageInSlices(temp.store, { by })).map(({ group, requests, refused: count }) => [
      group,
      requests,
      count,
    ]);
  // The requests that were let through are in flight.
  expect(await refused('key')).toEqual([
    ['key_1', 0, 3],
    ['key_2', 0, 1],
  ]);
  expect(await refused('model')).toEqual([['a', 0, 4]]);
  deleteOldLedgerRows(temp.store, dayMs, clock.nowMs + 2 * dayMs);
  expect(await refused('model')).toEqual([]);
  temp.dispose();
});
