import { fc } from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { WaitingRoom, type Caller } from '../../../../src/engine/queue/waiting-room.ts';

/** A room in which seats are called by a name such as `a1:3`: account a, key a1, its third request. */
function openRoom(places: number) {
  const room = new WaitingRoom();
  const waiting = new Map<string, () => void>();
  const gaveWay: string[] = [];
  const counts = new Map<string, number>();
  const enter = (keyId: string): string | undefined => {
    const number = (counts.get(keyId) ?? 0) + 1;
    counts.set(keyId, number);
    const name = `${keyId}:${number}`;
    const caller: Caller = { accountId: keyId.slice(0, 1), keyId };
    const leave = room.enter(caller, places, () => {
      waiting.delete(name);
      gaveWay.push(name);
    });
    if (leave === undefined) return undefined;
    waiting.set(name, leave);
    return name;
  };
  return { room, enter, gaveWay, waiting };
}

describe('a waiting room', () => {
  it('lets one key have all places while nobody else comes', () => {
    const { room, enter } = openRoom(3);
    expect(['a1', 'a1', 'a1', 'a1'].map(enter)).toEqual(['a1:1', 'a1:2', 'a1:3', undefined]);
    expect(room.size).toBe(3);
  });

  it('takes the newest place of the account that has most, of the key of it that has most', () => {
    const { enter, gaveWay } = openRoom(6);
    for (const key of ['a1', 'a2', 'a2', 'a3', 'a2', 'b1']) enter(key);
    expect(enter('c1')).toBe('c1:1');
    expect(gaveWay).toEqual(['a2:3']);
  });

  it('shares an account among its keys', () => {
    const { enter, gaveWay } = openRoom(4);
    for (const key of ['a1', 'a1', 'a1', 'b1']) enter(key);
    expect(enter('a2')).toBe('a2:1');
    expect(gaveWay).toEqual(['a1:3']);
    expect(enter('a2')).toBeUndefined();
  });

  it('gives a key that left a place no claim on it', () => {
    const { room, enter, waiting } = openRoom(2);
    enter('a1');
    enter('a1');
    waiting.get('a1:2')?.();
    waiting.get('a1:2')?.();
    expect(room.size).toBe(1);
    expect(enter('b1')).toBe('b1:1');
  });

  it('never refuses an account that has less than its share, and never takes from one that has no more', () => {
    const keys = fc.array(fc.constantFrom('a1', 'a2', 'a3', 'b1', 'c1', 'c2'), { maxLength: 80 });
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 12 }), (comers, places) => {
        const { room, enter, gaveWay, waiting } = openRoom(places);
        const countOf = (account: string) =>
          [...waiting.keys()].filter((name) => name.startsWith(account)).length;
        for (const key of comers) {
          const account = key.slice(0, 1);
          const before = countOf(account);
          const taken = gaveWay.length;
          const entered = enter(key);
          expect(room.size).toBe(waiting.size);
          expect(room.size).toBeLessThanOrEqual(places);
          if (entered === undefined) expect(before).toBeGreaterThanOrEqual(Math.floor(places / 3));
          const from = gaveWay[taken]?.slice(0, 1);
          if (from !== undefined && from !== account)
            expect(countOf(from)).toBeGreaterThanOrEqual(countOf(account));
        }
      }),
    );
  });
});
