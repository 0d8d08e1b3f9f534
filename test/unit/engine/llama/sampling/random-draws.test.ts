import { describe, expect, it } from 'vitest';
import { compareDraws } from '../../../../support/engine/compare-draws.ts';
import { hasStepper } from '../../../../support/engine/draw-tokens.ts';
import { openNativeFixture } from '../../../../support/models/native-model.ts';

describe.runIf(hasStepper)('requests with random parameters', () => {
  it('draw the same within steps and after them', async () => {
    await using fixture = await openNativeFixture();
    const { requests, differing, squares, freedom } = await compareDraws(fixture, 24, 50);
    expect(freedom).toBeGreaterThan(24);
    // Four standard deviations above the mean of chi-square.
    expect(squares).toBeLessThan(freedom + 4 * Math.sqrt(2 * freedom));
    // A random number at the border of two tokens: both paths add the shares in different orders.
    expect(differing).toBeLessThan(requests / 100);
  });
});
