import { expect, it, onTestFinished, vi } from 'vitest';
import { BodyMemory } from '../../../../../src/api/middleware/body/body-memory.ts';

const never = new AbortController().signal;
const of = (keyId: string, accountId = keyId.slice(0, 1)) => ({ accountId, keyId });

/** A memory for ten bytes, and the claims that have got their room, by name. */
function open() {
  // Who still waits at the end of a test leaves it then.
  const memory = new BodyMemory({ bytes: 10, waitMs: 1000 });
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const rooms = new Map<string, Awaited<ReturnType<BodyMemory['claim']>>>();
  const claim = (name: string, keyId: string, bytes: number) =>
    memory.claim(of(keyId), bytes, leaving.signal).then(
      (room) => rooms.set(name, room),
      () => undefined,
    );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { memory, rooms, claim, settle, names: () => [...rooms.keys()] };
}

it('leaves an account as much as the others have, whatever one asks', async () => {
  const { rooms, claim, settle, names } = open();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void claim(name, 'a', 2);
  await settle();
  // With a third one it would have more than is left.
  expect(names()).toEqual(['a1', 'a2']);
  void claim('b1', 'b', 4);
  await settle();
  expect(names()).toEqual(['a1', 'a2', 'b1']);
  rooms.get('b1')?.release();
  rooms.get('a1')?.release();
  await settle();
  expect(names()).toEqual(['a1', 'a2', 'b1', 'a3']);
});

it('gives what becomes free to the key that has least', async () => {
  const { rooms, claim, settle, names } = open();
  void claim('a1', 'a:1', 2);
  void claim('b1', 'b', 6);
  void claim('a2', 'a:1', 2);
  void claim('a3', 'a:2', 2);
  await settle();
  expect(names()).toEqual(['a1', 'b1']);
  rooms.get('b1')?.release();
  await settle();
  expect(names()).toEqual(['a1', 'b1', 'a3']);
});

it('has room for a body that is as large as all of it, and takes back what one does not need', async () => {
  const { rooms, claim, settle, names } = open();
  await claim('whole', 'a', 50);
  void claim('next', 'b', 5);
  await settle();
  expect(names()).toEqual(['whole']);
  rooms.get('whole')?.shrink(3);
  await settle();
  expect(names()).toEqual(['whole', 'next']);
});

it('lets nobody wait for ever, and forgets who leaves', async () => {
  vi.useFakeTimers();
  try {
    const { memory, claim, rooms } = open();
    await claim('whole', 'a', 10);
    const leaving = new AbortController();
    const left = expect(memory.claim(of('b'), 5, leaving.signal)).rejects.toThrow('left');
    leaving.abort(new Error('left'));
    await left;
    const late = expect(memory.claim(of('b'), 5, never)).rejects.toMatchObject({ code: 'server_overloaded' });
    await vi.advanceTimersByTimeAsync(1000);
    await late;
    rooms.get('whole')?.release();
    await memory.claim(of('c'), 10, never);
  } finally {
    vi.useRealTimers();
  }
});
