import { fc } from '../../support/properties.ts';
import { expect, it } from 'vitest';
import { windowMs, type Limits, type Window } from '../../../src/accounts/plans.ts';
import { AppError } from '../../../src/errors/errors.ts';
import type { BucketRow } from '../../../src/store/tables/use/bucket-table.ts';
import type { Admission } from '../../../src/limits/types.ts';
import { openLimiter, principalOf, requestOf, settlementOf } from './fixture.ts';
import { Reference, type ReferenceRule } from './reference.ts';

const limits = {
  requests: { minute: 4, hour: 30 },
  inputTokens: { minute: 100, '30d': 5000 },
  outputTokens: { minute: 70, day: 900 },
} satisfies Limits;
const rules: ReferenceRule[] = Object.entries(limits).flatMap(([measure, windows]) =>
  Object.entries(windows).map(([window, limit]) => ({ measure, window, limit }) as ReferenceRule),
);

interface InFlight {
  readonly owner: string;
  readonly admission: Admission;
}

/** The real limiter beside the reference, with what is in flight in both. */
class World {
  readonly fixture = openLimiter(limits);
  readonly reference = new Reference(rules);
  inFlight: InFlight[] = [];

  get nowMs(): number {
    return this.fixture.clock.nowMs;
  }

  rows(owner: string): BucketRow[] {
    const [keyId = '', modelId = ''] = owner.split('/');
    return this.fixture.temp.store.buckets.of(keyId, modelId);
  }

  /** A row tells the level of when it was written; only buckets that something was taken from have one. */
  check(owner: string): void {
    const stored = this.rows(owner).map(({ measure, window, units, fraction, limitUnits, atMs }) => {
      const inWindowMs = windowMs[window as Window];
      const refill = Math.max(0, this.nowMs - atMs) * limitUnits;
      const level = Math.min(limitUnits, units + Math.floor((fraction + refill) / inWindowMs));
      return [`${measure} ${window}`, level];
    });
    const levels = this.reference.levels(owner, this.nowMs);
    expect(levels).toMatchObject(Object.fromEntries(stored));
    for (const { measure, window, limit } of rules) {
      expect(levels[`${measure} ${window}`]).toBeLessThanOrEqual(limit);
    }
  }
}

type Step = (world: World) => void;

const owners = fc.constantFrom('key_1/a', 'key_1/b', 'key_2/a');
const tokens = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150 }));

const admit: fc.Arbitrary<Step> = owners.map((owner) => (world) => {
  const [keyId = '', modelId = ''] = owner.split('/');
  const before = world
    .rows(owner)
    .map(({ measure, window, units, fraction }) => ({ measure, window, units, fraction }));
  const seconds = world.reference.admit(owner, world.nowMs);
  try {
    const admission = world.fixture.limiter.admit(requestOf({ principal: principalOf(keyId), modelId }));
    expect(seconds).toBe(0);
    world.inFlight.push({ owner, admission });
    world.check(owner);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.retryAfterSeconds).toBe(seconds);
    expect(world.rows(owner)).toMatchObject(before);
  }
});

const settle: fc.Arbitrary<Step> = fc
  .record({ index: fc.nat(), input: tokens, output: tokens, refund: fc.boolean() })
  .map(({ index, input, output, refund }) => (world) => {
    const [settled] = world.inFlight.splice(index % Math.max(1, world.inFlight.length), 1);
    if (settled === undefined) return;
    const { owner, admission } = settled;
    admission.settle(settlementOf({ promptTokens: input, completionTokens: output, refundRequest: refund }));
    world.reference.settle(owner, { input, output }, refund, world.nowMs);
    world.check(owner);
  });

const crash: fc.Arbitrary<Step> = fc.constant((world) => {
  expect(world.fixture.restart()).toBe(world.inFlight.length);
  for (const { owner } of world.inFlight) {
    world.reference.settle(owner, { input: 0, output: 0 }, true, world.nowMs);
  }
  for (const { owner } of world.inFlight) world.check(owner);
  world.inFlight = [];
});

const stepClock: fc.Arbitrary<Step> = fc
  .oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 30_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 86_400_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -86_400_000, max: 0 }) },
    { weight: 1, arbitrary: fc.constantFrom(-365 * 86_400_000, 365 * 86_400_000) },
  )
  .map((stepMs) => (world) => {
    world.fixture.clock.nowMs += stepMs;
  });

it('agrees with the slow reference whatever happens in whatever order', () => {
  const steps = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: admit },
      { weight: 4, arbitrary: settle },
      { weight: 4, arbitrary: stepClock },
      { weight: 1, arbitrary: crash },
    ),
    { minLength: 20, maxLength: 120 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const world = new World();
      try {
        for (const step of all) step(world);
        expect(world.fixture.temp.store.integrityProblems()).toEqual([]);
      } finally {
        world.fixture.temp.dispose();
      }
    }),
    { numRuns: 100 },
  );
});

it('is admitted after Retry-After seconds, and not one second before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(tokens, tokens, fc.integer({ min: 0, max: 20_000 })), { minLength: 5 }),
      (uses) => {
        const { limiter, clock, temp } = openLimiter(limits);
        try {
          for (const [promptTokens, completionTokens, pauseMs] of uses) {
            clock.nowMs += pauseMs;
            try {
              limiter.admit(requestOf()).settle(settlementOf({ promptTokens, completionTokens }));
            } catch (error) {
              const seconds = error instanceof AppError ? (error.retryAfterSeconds ?? 0) : 0;
              expect(seconds).toBeGreaterThanOrEqual(1);
              clock.nowMs += (seconds - 1) * 1000;
              if (seconds > 1) expect(() => limiter.admit(requestOf())).toThrow('Rate limit');
              clock.nowMs += 1000;
              limiter.admit(requestOf()).settle(settlementOf({ promptTokens, completionTokens }));
            }
          }
        } finally {
          temp.dispose();
        }
      },
    ),
    { numRuns: 40 },
  );
});
