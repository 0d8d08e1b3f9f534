import { expect, it } from 'vitest';
import { CacheShares } from '../../../../src/engine/isolation/cache-shares.ts';

it('divides the memory equally among those that are there', () => {
  const shares = new CacheShares(1000);
  const bytes: Record<string, number> = {};
  const join = (name: string) => shares.join((share) => void (bytes[name] = share));
  const leaveFirst = join('first');
  expect(bytes).toEqual({ first: 1000 });
  join('second');
  expect(bytes).toEqual({ first: 500, second: 500 });
  leaveFirst();
  leaveFirst();
  expect(bytes).toEqual({ first: 500, second: 1000 });
  shares.resize(600);
  expect(bytes).toEqual({ first: 500, second: 600 });
});
