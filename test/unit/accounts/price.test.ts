import { expect, it } from 'vitest';
import { costOf, type Price, type Priced } from '../../../src/accounts/budgets/price.ts';
import { fc } from '../../support/properties.ts';

const amount = fc.integer({ min: 0, max: 2_000_000 });
const units = fc.option(
  fc.integer({ min: 0, max: 1e9 }).map((micro) => micro / 1e6),
  { nil: undefined },
);
const prices: fc.Arbitrary<Price> = fc.record({
  inputTokens: units,
  cachedTokens: units,
  outputTokens: units,
  audioSeconds: units,
  requests: units,
});
const priced: fc.Arbitrary<Priced> = fc.record({
  requests: fc.nat(1),
  inputTokens: amount,
  cachedTokens: amount,
  outputTokens: amount,
  audioMs: amount,
});

/** In millionths, as floating point computes it: a little off where it is large. */
function plainCost(price: Price, used: Priced): number {
  const { inputTokens = 0, outputTokens = 0, audioSeconds = 0, requests = 0 } = price;
  const cached = Math.min(used.cachedTokens, used.inputTokens);
  return (
    (used.inputTokens - cached) * inputTokens +
    cached * (price.cachedTokens ?? inputTokens) +
    used.outputTokens * outputTokens +
    used.audioMs * audioSeconds * 1000 +
    used.requests * requests * 1e6
  );
}

it('is a plain sum, rounded up to a whole millionth once', () => {
  fc.assert(
    fc.property(prices, priced, (price, used) => {
      const [plain, cost] = [plainCost(price, used), costOf(price, used)];
      expect(Number.isSafeInteger(cost)).toBe(true);
      expect(cost).toBeGreaterThanOrEqual(plain * (1 - 1e-12));
      expect(cost).toBeLessThan(plain * (1 + 1e-12) + 1);
    }),
  );
});

it('is no fraction more where the price is an exact decimal', () => {
  const used = { requests: 1, inputTokens: 0, cachedTokens: 0, outputTokens: 0, audioMs: 0 };
  expect(costOf({ inputTokens: 0.1 }, { ...used, inputTokens: 10 })).toBe(1);
  expect(costOf({ inputTokens: 0.1 }, { ...used, inputTokens: 11 })).toBe(2);
  expect(costOf({ requests: 0.000_001 }, used)).toBe(1);
  expect(costOf({ requests: 1e6 }, { ...used, requests: 1e12 })).toBe(1e15);
});
