import { describe, expect, it } from 'vitest';
import { CopyCosts } from '../../../../../src/engine/llama/caches/copy-costs.ts';

/** Costs of a machine that copies a token out in 0.1 ms and back in 0.05 ms. */
function measured(): CopyCosts {
  const costs = new CopyCosts();
  for (let copy = 0; copy < 20; copy++) {
    costs.saved(1000, 100);
    costs.restored(1000, 50);
  }
  return costs;
}

describe('CopyCosts', () => {
  it('tries it while nothing was measured, save for a few tokens', () => {
    expect(new CopyCosts().paysToKeep(70, 70, undefined)).toBe(true);
    expect(new CopyCosts().paysToRestore(70, 70, 1)).toBe(true);
    expect(new CopyCosts().paysToKeep(15, 15, 1)).toBe(false);
  });

  it('keeps short caches where computing is slow, and none where it is as fast as copying', () => {
    expect(measured().paysToKeep(70, 70, 1)).toBe(true);
    expect(measured().paysToKeep(2000, 2000, 0.1)).toBe(false);
    expect(measured().paysToRestore(2000, 2000, 0.1)).toBe(true);
  });

  it('does not copy much for the sake of a little', () => {
    expect(measured().paysToKeep(2000, 75, 1)).toBe(false);
    expect(measured().paysToKeep(2000, 750, 1)).toBe(true);
    expect(measured().paysToRestore(2000, 75, 1)).toBe(false);
    expect(measured().paysToRestore(2000, 750, 1)).toBe(true);
  });

  it('believes the quickest copy where others were held up', () => {
    const costs = measured();
    for (let copy = 0; copy < 7; copy++) costs.saved(1000, 4000);
    expect(costs.paysToKeep(1000, 1000, 0.2)).toBe(true);
    costs.saved(1000, 4000);
    expect(costs.paysToKeep(1000, 1000, 0.2)).toBe(false);
  });

  it('does not judge by one or two copies, which something may have held up', () => {
    const first = new CopyCosts();
    for (let copy = 0; copy < 2; copy++) {
      first.saved(1000, 4000);
      first.restored(1000, 4000);
      expect(first.paysToKeep(1000, 1000, 1)).toBe(true);
      expect(first.paysToRestore(1000, 1000, 1)).toBe(true);
    }
    first.restored(1000, 4000);
    expect(first.paysToRestore(1000, 1000, 1)).toBe(false);
  });

  it('tries it again some time after copies that something held up', () => {
    const costs = new CopyCosts();
    for (let copy = 0; copy < 3; copy++) {
      costs.saved(1000, 4000);
      costs.restored(1000, 50);
    }
    const pays = Array.from({ length: 40 }, () => costs.paysToKeep(1000, 1000, 1));
    expect(pays.slice(0, 20)).not.toContain(true);
    expect(pays.at(-1)).toBe(true);
  });
});
