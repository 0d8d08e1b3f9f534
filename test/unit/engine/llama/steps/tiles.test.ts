import { fc } from '../../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { chunkOf, worthwhilePrefix } from '../../../../../src/engine/llama/steps/tiles.ts';

describe('chunkOf', () => {
  it('takes all that is lacking where there is room', () => {
    expect(chunkOf(100, 128, 0)).toBe(100);
    expect(chunkOf(128, 128, 0)).toBe(128);
  });

  it('takes what fills no tile first', () => {
    expect(chunkOf(2077, 512, 0)).toBe(29 + 448);
    expect(chunkOf(1600, 512, 0)).toBe(512);
    expect(chunkOf(100, 64, 0)).toBe(36);
  });

  it('takes a part of a tile where there is room for no more', () => {
    expect(chunkOf(500, 32, 0)).toBe(32);
    expect(chunkOf(64, 32, 0)).toBe(32);
  });

  it('fills a tile where much stands before it, whatever the room', () => {
    expect(chunkOf(500, 32, 2000)).toBe(52);
    expect(chunkOf(512, 32, 2000)).toBe(64);
    expect(chunkOf(40, 32, 2000)).toBe(40);
  });

  it('never exceeds the room, always gets on, and leaves whole tiles where there was room for one', () => {
    const tokens = fc.integer({ min: 1, max: 10_000 });
    fc.assert(
      fc.property(tokens, tokens, (lacking, most) => {
        const chunk = chunkOf(lacking, most, 0);
        expect(chunk).toBeGreaterThan(0);
        expect(chunk).toBeLessThanOrEqual(Math.min(lacking, most));
        if (most >= 64) expect((lacking - chunk) % 64).toBe(0);
      }),
    );
  });
});

describe('worthwhilePrefix', () => {
  it('gives up a little of a long prefix to fill a tile', () => {
    expect(worthwhilePrefix(1500, 1545)).toBe(1545 - 64);
  });

  it('keeps all of it where little is lacking, more than a tile is, or little stands before', () => {
    expect(worthwhilePrefix(1500, 1520)).toBe(1500);
    expect(worthwhilePrefix(1500, 1564)).toBe(1500);
    expect(worthwhilePrefix(1500, 1700)).toBe(1500);
    expect(worthwhilePrefix(200, 250)).toBe(200);
  });
});
