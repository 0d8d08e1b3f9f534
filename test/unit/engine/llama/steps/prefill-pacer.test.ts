import { fc } from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { PrefillPacer, type PromptDemand } from '../../../../../src/engine/llama/steps/prefill-pacer.ts';

interface Costs {
  readonly decodeMs: number;
  readonly promptTokenMs: number;
}

/** A pacer that has seen many steps on a machine with these costs. */
function trained({ decodeMs, promptTokenMs }: Costs): PrefillPacer {
  const pacer = new PrefillPacer(100, 512);
  for (let step = 0; step < 50; step++) {
    pacer.observe(0, decodeMs);
    pacer.observe(64, 64 * promptTokenMs);
  }
  return pacer;
}

const demand = (more: Partial<PromptDemand> = {}): PromptDemand => ({
  prompts: 1,
  streams: 8,
  pausedMs: 0,
  waitedMs: 0,
  tokens: 512,
  isDue: false,
  ...more,
});
const nobodyDecodes = demand({ streams: 0 });

/**
 * Streams that decode without end on a machine with these costs, and prompts of `tokens` tokens beside them, all sent
 * at 0 ms: the pauses of the streams, and when the prompts are computed.
 */
function simulate(costs: Costs, tokens: number) {
  const pacer = trained(costs);
  const pausesMs: number[] = [];
  let [nowMs, lastTokenMs, left, isDue] = [0, 0, tokens, true];
  while (left > 0) {
    const chunk = Math.min(
      left,
      pacer.promptTokens(demand({ pausedMs: nowMs - lastTokenMs, waitedMs: nowMs, tokens: left, isDue })),
    );
    const elapsedMs = chunk === 0 ? costs.decodeMs : chunk * costs.promptTokenMs;
    nowMs += elapsedMs;
    left -= chunk;
    isDue = chunk === 0;
    pacer.observe(chunk, elapsedMs);
    if (chunk > 0) continue;
    pausesMs.push(nowMs - lastTokenMs);
    lastTokenMs = nowMs;
  }
  return { pausesMs, longestPauseMs: Math.max(...pausesMs), doneMs: nowMs };
}

describe('PrefillPacer', () => {
  it('begins carefully', () => {
    expect(new PrefillPacer(100, 512).promptTokens(nobodyDecodes)).toBe(128);
  });

  it('keeps the pauses of streams at the target while nobody waits long for a first word', () => {
    const { longestPauseMs, pausesMs } = simulate({ decodeMs: 20, promptTokenMs: 0.5 }, 1800);
    expect(pausesMs.length).toBeGreaterThan(10);
    expect(longestPauseMs).toBeGreaterThan(50);
    expect(longestPauseMs).toBeLessThanOrEqual(101);
  });

  it('lets streams pause longer the longer people wait, but never for more than four times the target', () => {
    const short = simulate({ decodeMs: 40, promptTokenMs: 1 }, 1000);
    const long = simulate({ decodeMs: 40, promptTokenMs: 1 }, 8000);
    const endless = simulate({ decodeMs: 40, promptTokenMs: 1 }, 80_000);
    expect(long.longestPauseMs).toBeGreaterThan(2 * short.longestPauseMs);
    expect(endless.longestPauseMs).toBeGreaterThan(350);
    expect(endless.longestPauseMs).toBeLessThanOrEqual(401);
  });

  it('lets streams pause longer for several prompts that can be computed together', () => {
    const pacer = trained({ decodeMs: 20, promptTokenMs: 1 });
    const pauseMs = (prompts: number, streams: number) => pacer.pauseMs(demand({ prompts, streams }));
    expect([pauseMs(1, 1), pauseMs(2, 6), pauseMs(4, 4), pauseMs(7, 1)]).toEqual([100, 100, 150, 400]);
  });

  it('gives long prompts nearly all of the time, however slow the steps of those who decode', () => {
    expect(simulate({ decodeMs: 50, promptTokenMs: 2 }, 8000).doneMs).toBeLessThan(1.2 * 2 * 8000);
  });

  it('counts the time for which a stream has already paused', () => {
    const pacer = trained({ decodeMs: 20, promptTokenMs: 0.5 });
    expect(pacer.promptTokens(demand({ pausedMs: 0 }))).toBe(160);
    expect(pacer.promptTokens(demand({ pausedMs: 40 }))).toBe(80);
    // A step is not worth it for less than a tile.
    expect(pacer.promptTokens(demand({ pausedMs: 60 }))).toBe(0);
  });

  it('gives more when nobody decodes, in steps short enough to be left', () => {
    const chunk = trained({ decodeMs: 20, promptTokenMs: 4 }).promptTokens(nobodyDecodes);
    expect(chunk).toBeGreaterThan(100);
    expect(chunk).toBeLessThanOrEqual(250);
  });

  it('learns little from a first small step, during which the model is still being read', () => {
    const pacer = new PrefillPacer(100, 512);
    pacer.observe(36, 36 * 10);
    pacer.observe(512, 512);
    expect(pacer.promptTokenMs).toBeLessThan(3);
  });

  it('lets a prompt get on even where it must exceed the target', () => {
    const pacer = trained({ decodeMs: 300, promptTokenMs: 20 });
    expect(pacer.promptTokens(demand({ isDue: true }))).toBe(32);
    expect(pacer.promptTokens(demand())).toBe(0);
  });

  it('lets short prompts pass long ones, but not for ever', () => {
    const pacer = trained({ decodeMs: 20, promptTokenMs: 1 });
    const long = pacer.dueMs(0, 8000);
    expect(pacer.dueMs(1000, 100)).toBeLessThan(long);
    expect(pacer.dueMs(20_000, 100)).toBeGreaterThan(long);
    // Of equal ones the first stays first: its computed tokens bring it forward.
    expect(pacer.dueMs(0, 300)).toBeLessThan(pacer.dueMs(0, 512));
  });

  it('fills the batch on a fast machine', () => {
    expect(trained({ decodeMs: 1, promptTokenMs: 0.01 }).promptTokens(demand())).toBe(512);
  });

  it('learns nothing from a few prompt tokens, whose step costs mostly something else', () => {
    const pacer = trained({ decodeMs: 20, promptTokenMs: 0.5 });
    for (let step = 0; step < 20; step++) pacer.observe(3, 80);
    expect(pacer.promptTokens(demand())).toBe(160);
  });

  it('always gives whole tokens that fit into the batch', () => {
    const observation = fc.tuple(
      fc.integer({ min: 0, max: 512 }),
      fc.double({ min: 0, max: 10_000, noNaN: true }),
    );
    const duration = fc.double({ min: 0, max: 1e6, noNaN: true });
    const demands = fc.record({
      prompts: fc.integer({ min: 1, max: 64 }),
      streams: fc.integer({ min: 0, max: 64 }),
      pausedMs: duration,
      waitedMs: duration,
      tokens: fc.integer({ min: 1, max: 1e6 }),
      isDue: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(observation), demands, (observations, anyDemand) => {
        const pacer = new PrefillPacer(100, 512);
        for (const [promptTokens, elapsedMs] of observations) pacer.observe(promptTokens, elapsedMs);
        const chunk = pacer.promptTokens(anyDemand);
        expect(Number.isInteger(chunk)).toBe(true);
        expect(chunk).toBeLessThanOrEqual(512);
        if (anyDemand.isDue || anyDemand.streams === 0) expect(chunk).toBeGreaterThanOrEqual(32);
        else expect(chunk).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
