import { fc } from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { windowMs } from '../../../src/accounts/plans.ts';
import {
  advance,
  changeLimit,
  fullBucket,
  giveBack,
  joinLevel,
  msUntilFull,
  secondsUntil,
  splitLevel,
  take,
  type Bucket,
} from '../../../src/limits/bucket.ts';

const yearMs = 365 * windowMs.day;
const nowMs = Date.UTC(2026, 10, 20);
/** Beyond a hundred thousand years a number cannot name every millisecond. */
const longestSeconds = 100_000 * 365 * 86_400;
const limits = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 1e15 }));
const windowsMs = fc.constantFrom(...Object.values(windowMs));
const amounts = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 1e12 }));
const times = fc.integer({ min: 0, max: 40 * windowMs.day });

/** Any bucket: full or not, in debt or not, at any moment. */
const buckets: fc.Arbitrary<Bucket> = fc
  .record({ limit: limits, windowMs: windowsMs, taken: amounts, laterMs: times })
  .map(({ limit, windowMs: ofMs, taken, laterMs }) =>
    advance(take(fullBucket(limit, ofMs, nowMs), taken), nowMs + laterMs),
  );

const fullLevel = (bucket: Bucket) => BigInt(bucket.limit) * BigInt(bucket.windowMs);

describe('a bucket', () => {
  it('refills by limit ÷ window per second', () => {
    const empty = take(fullBucket(100_000, windowMs.minute, nowMs), 100_000);
    expect(splitLevel(advance(empty, nowMs + 1000))).toEqual({ units: 1666, fraction: 40_000 });
    expect(splitLevel(advance(empty, nowMs + 60_000))).toEqual({ units: 100_000, fraction: 0 });
  });

  it('never holds more than its limit', () => {
    fc.assert(
      fc.property(buckets, times, amounts, limits, (bucket, laterMs, amount, limit) => {
        for (const after of [
          advance(bucket, bucket.atMs + laterMs),
          giveBack(bucket, amount),
          changeLimit(bucket, limit, bucket.atMs + laterMs, bucket.atMs + 2 * laterMs),
        ]) {
          expect(after.level <= fullLevel(after)).toBe(true);
        }
      }),
    );
  });

  it('refills the same over any split of a time', () => {
    fc.assert(
      fc.property(buckets, fc.array(fc.integer({ min: 0, max: windowMs.day })), (bucket, steps) => {
        let atMs = bucket.atMs;
        let stepwise = bucket;
        for (const step of steps) {
          atMs += step;
          stepwise = advance(stepwise, atMs);
        }
        expect(stepwise).toEqual(advance(bucket, atMs));
      }),
    );
  });

  it('is read from its two columns as it was written', () => {
    fc.assert(
      fc.property(buckets, (bucket) => {
        const { units, fraction } = splitLevel(bucket);
        expect(Number.isSafeInteger(units)).toBe(true);
        expect(fraction).toBeGreaterThanOrEqual(0);
        expect(fraction).toBeLessThan(bucket.windowMs);
        expect(joinLevel(units, fraction, bucket.windowMs)).toBe(bucket.level);
      }),
    );
  });

  it('tells the least whole seconds until it admits', () => {
    fc.assert(
      fc.property(buckets, fc.constantFrom('unit', 'positive' as const), (bucket, need) => {
        const seconds = secondsUntil(bucket, need);
        fc.pre(seconds < longestSeconds);
        const admits = (after: number) =>
          secondsUntil(advance(bucket, bucket.atMs + after * 1000), need) === 0;
        expect(admits(seconds)).toBe(true);
        if (seconds > 0) expect(admits(seconds - 1)).toBe(false);
      }),
    );
  });

  it('tells the least milliseconds until it is full', () => {
    fc.assert(
      fc.property(buckets, (bucket) => {
        const ms = msUntilFull(bucket);
        fc.pre(ms < longestSeconds * 1000);
        const isFull = (after: number) => {
          const later = advance(bucket, bucket.atMs + after);
          return later.level === fullLevel(later);
        };
        expect(isFull(ms)).toBe(true);
        if (ms > 0) expect(isFull(ms - 1)).toBe(false);
      }),
    );
  });

  it('refills nothing when the clock goes back, and goes on from there', () => {
    fc.assert(
      fc.property(buckets, fc.integer({ min: 1, max: yearMs }), times, (bucket, backMs, laterMs) => {
        const back = advance(bucket, bucket.atMs - backMs);
        expect(back.level).toBe(bucket.level);
        expect(advance(back, back.atMs + laterMs).level).toBe(advance(bucket, bucket.atMs + laterMs).level);
      }),
    );
  });

  it('fills at most when the clock jumps ahead', () => {
    fc.assert(
      fc.property(buckets, (bucket) => {
        const ahead = advance(bucket, bucket.atMs + yearMs);
        expect(ahead.level <= fullLevel(ahead)).toBe(true);
        expect(ahead.level >= bucket.level).toBe(true);
      }),
    );
  });

  it('gives back exactly what was taken', () => {
    fc.assert(
      fc.property(buckets, amounts, (bucket, amount) => {
        expect(giveBack(take(bucket, amount), amount)).toEqual(bucket);
      }),
    );
  });
});

describe('a changed limit', () => {
  const half = take(fullBucket(60, windowMs.minute, nowMs), 30);

  it('keeps the level of the moment of the change and refills by the new limit after it', () => {
    const raised = changeLimit(half, 600, nowMs + 10_000, nowMs + 11_000);
    expect(splitLevel(raised)).toEqual({ units: 30 + 10 + 10, fraction: 0 });
  });

  it('caps the level at the new full', () => {
    expect(splitLevel(changeLimit(half, 5, nowMs, nowMs)).units).toBe(5);
  });

  it('that came before the last use is in force for all of the time since', () => {
    expect(splitLevel(changeLimit(half, 600, nowMs - 5000, nowMs + 1000)).units).toBe(40);
  });
});
