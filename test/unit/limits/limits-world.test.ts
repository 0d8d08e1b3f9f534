import { expect, it } from 'vitest';
import type { Limits } from '../../../src/accounts/plans.ts';
import { AppError } from '../../../src/errors/errors.ts';
import { fc } from '../../support/properties.ts';
import { openLimiter, requestOf, settlementOf } from './fixture.ts';
import { tryOperations, zones } from './limits-world.ts';

/** Another one with scripts/fuzz/properties.ts, and for each zone. */
const seed = Number(process.env['HEARTH_TEST_SEED'] ?? 1);

it('limits, budgets, units and notices are what a plain model says, in all zones and whatever happens', () => {
  const answers = new Set<string>();
  let notices = 0;
  for (const [index, [zone, startMs]] of zones.entries()) {
    const tried = tryOperations(zone, startMs, 600, seed + index);
    for (const answer of Object.keys(tried.answers)) answers.add(answer);
    notices += tried.notices;
  }
  expect(answers).toEqual(new Set(['admitted', 'insufficient_quota', 'rate_limit_exceeded']));
  expect(notices).toBeGreaterThan(0);
}, 120_000);

const limits = {
  requests: { minute: 4, hour: 30 },
  inputTokens: { minute: 100, '30d': 5000 },
  outputTokens: { minute: 70, day: 900 },
} satisfies Limits;

const tokens = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150 }));

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
