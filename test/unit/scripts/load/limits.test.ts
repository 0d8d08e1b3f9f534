import { afterEach, beforeEach, expect, it } from 'vitest';
import { auditBooks } from '../../../../scripts/load/limits/books.ts';
import { openLimiter, requestOf, settlementOf } from '../../limits/fixture.ts';

let fixture: ReturnType<typeof openLimiter>;
beforeEach(() => {
  fixture = openLimiter({ requests: { hour: 100, day: 1000 }, inputTokens: { day: 1000 } });
  for (let index = 0; index < 5; index += 1) {
    fixture.clock.nowMs += 7;
    const settlement = settlementOf({ promptTokens: 100 + index, refundRequest: index === 3 });
    fixture.limiter.admit(requestOf()).settle(settlement);
  }
});
afterEach(() => fixture.temp.dispose());

it('finds nothing wrong with books that are right', () => {
  expect(auditBooks(fixture.temp.store)).toEqual([]);
});

it('finds one unit of a balance that nobody used', () => {
  const { store } = fixture.temp;
  for (const row of store.buckets.of('key_1', 'model')) {
    store.buckets.put('key_1', 'model', { ...row, units: row.units - 1 });
    expect(auditBooks(store)).toEqual([expect.stringContaining(`${row.measure} per ${row.window}`)]);
    store.buckets.put('key_1', 'model', row);
  }
});

it('finds a charge that the ledger does not have, and a request that did not end', () => {
  const { store } = fixture.temp;
  store.ledger.deleteBefore(fixture.clock.nowMs, 1);
  expect(auditBooks(store).length).toBeGreaterThan(0);
  fixture.limiter.admit(requestOf());
  expect(auditBooks(store)[0]).toBe('1 requests are still in flight');
});
