import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { acquireProcessLock } from '../../../src/store/process-lock.ts';
import { openTempStore, type TempStore } from './temp-store.ts';

let temp: TempStore;
beforeEach(() => {
  temp = openTempStore();
});
afterEach(() => temp.dispose());

it('is held by one at a time, and leaves the database alone', () => {
  const first = acquireProcessLock(temp.file);
  expect(first).toBeDefined();
  expect(acquireProcessLock(temp.file)).toBeUndefined();
  expect(temp.store.immediate(() => temp.store.accounts.list())).toEqual([]);
  first?.release();
  const second = acquireProcessLock(temp.file);
  expect(second).toBeDefined();
  second?.release();
  expect(statSync(`${temp.file}.lock`).mode & 0o777).toBe(0o600);
});
