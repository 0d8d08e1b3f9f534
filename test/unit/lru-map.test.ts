import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashOf, LruMap } from '../../src/lru-map.ts';

afterEach(() => vi.useRealTimers());

describe('LruMap', () => {
  it('forgets what was not used for longest, by number', () => {
    const cache = new LruMap<string>({ entries: 2, chars: 100 });
    cache.set('a', 'A', 1);
    cache.set('b', 'B', 1);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 1);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  });

  it('forgets as much as has to go for its size, and counts what is set again once', () => {
    const cache = new LruMap<string>({ entries: 10, chars: 100 });
    for (let count = 0; count < 5; count++) cache.set('a', 'A', 60);
    cache.set('b', 'B', 40);
    expect(cache.get('a')).toBe('A');
    cache.set('c', 'C', 50);
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, undefined, 'C']);
    cache.set('huge', 'H', 101);
    expect(cache.get('huge')).toBeUndefined();
  });

  it('remembers for as long as it was told', () => {
    vi.useFakeTimers();
    const cache = new LruMap<string>({ entries: 10, chars: 100 });
    cache.set('a', 'A', 1, 1000);
    vi.advanceTimersByTime(900);
    expect(cache.get('a')).toBe('A');
    vi.advanceTimersByTime(200);
    expect(cache.get('a')).toBeUndefined();
  });

  it('keeps texts apart', () => {
    expect(hashOf('a'.repeat(1_000_000))).toHaveLength(44);
    expect(hashOf('a')).not.toBe(hashOf('b'));
  });
});
