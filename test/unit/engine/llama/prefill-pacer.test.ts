import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PrefillPacer } from '../../../../src/engine/llama/steps/prefill-pacer.ts';

/** A pacer that has seen many steps on a machine with these costs. */
function trained(costs: { readonly decodeMs: number; readonly promptTokenMs: number }): PrefillPacer {
  const pacer = new PrefillPacer(100, 512);
  for (let step = 0; step < 50; step++) {
    pacer.observe(4, 0, costs.decodeMs);
    pacer.observe(4, 64, costs.decodeMs + 64 * costs.promptTokenMs);
  }
  return pacer;
}

describe('PrefillPacer', () => {
  it('begins carefully', () => {
    expect(new PrefillPacer(100, 512).chunkTokens(0)).toBe(128);
  });

  it('gives prompts what keeps the pause of those who decode at the target', () => {
    const chunk = trained({ decodeMs: 20, promptTokenMs: 0.5 }).chunkTokens(4);
    expect(20 + chunk * 0.5).toBeGreaterThan(80);
    expect(20 + chunk * 0.5).toBeLessThanOrEqual(101);
  });

  it('gives more when nobody decodes', () => {
    const pacer = trained({ decodeMs: 20, promptTokenMs: 1 });
    expect(pacer.chunkTokens(0)).toBeGreaterThan(1.5 * pacer.chunkTokens(1));
  });

  it('lets a prompt get on even where it must exceed the target', () => {
    expect(trained({ decodeMs: 300, promptTokenMs: 20 }).chunkTokens(4)).toBe(32);
  });

  it('fills the batch on a fast machine', () => {
    expect(trained({ decodeMs: 1, promptTokenMs: 0.01 }).chunkTokens(8)).toBe(504);
  });

  it('goes by the first decode step it sees, not by a part of it', () => {
    const pacer = new PrefillPacer(100, 512);
    pacer.observe(4, 0, 90);
    pacer.observe(0, 128, 128);
    expect(pacer.chunkTokens(4)).toBe(32);
  });

  it('learns nothing from a few prompt tokens, whose step costs mostly something else', () => {
    const pacer = trained({ decodeMs: 20, promptTokenMs: 0.5 });
    const before = pacer.chunkTokens(4);
    for (let step = 0; step < 20; step++) pacer.observe(4, 3, 80);
    expect(pacer.chunkTokens(4)).toBe(before);
  });

  it('always gives whole tokens that fit into the batch', () => {
    const observation = fc.tuple(
      fc.integer({ min: 0, max: 16 }),
      fc.integer({ min: 0, max: 512 }),
      fc.double({ min: 0, max: 10_000, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(observation), fc.integer({ min: 0, max: 16 }), (observations, decoders) => {
        const pacer = new PrefillPacer(100, 512);
        for (const [others, promptTokens, elapsedMs] of observations)
          pacer.observe(others, promptTokens, elapsedMs);
        const chunk = pacer.chunkTokens(decoders);
        expect(Number.isInteger(chunk)).toBe(true);
        expect(chunk).toBeGreaterThanOrEqual(32);
        expect(chunk).toBeLessThanOrEqual(512 - decoders);
      }),
    );
  });
});
