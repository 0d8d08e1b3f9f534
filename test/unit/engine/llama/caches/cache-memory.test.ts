import { expect, it } from 'vitest';
import { CacheMemory } from '../../../../../src/engine/llama/caches/cache-memory.ts';

const setUp = (budgetBytes: number) => {
  const memory = new CacheMemory(budgetBytes);
  const dropped: string[] = [];
  const add = (name: string, bytes: number) => {
    const entry = { bytes, drop: () => void dropped.push(name) };
    memory.add(entry);
    return entry;
  };
  return { memory, dropped, add };
};

it('makes room by what was not used for longest', () => {
  const { memory, dropped, add } = setUp(10);
  const first = add('first', 4);
  add('second', 4);
  memory.touch(first);
  add('third', 4);
  expect(dropped).toEqual(['second']);
  expect(memory.usedBytes).toBe(8);
});

it('drops what is larger than all of it, and nothing for its sake', () => {
  const { memory, dropped, add } = setUp(10);
  add('small', 4);
  add('too large', 11);
  expect(dropped).toEqual(['too large']);
  expect(memory.usedBytes).toBe(4);
});
