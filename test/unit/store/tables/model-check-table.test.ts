import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTempStore, type TempStore } from '../temp-store.ts';

let temp: TempStore;
beforeEach(() => {
  temp = openTempStore();
});
afterEach(() => temp.dispose());

const key = { path: '/models/a.gguf', sizeBytes: 10, mtimeMs: 1_700_000_000_123.456, fingerprint: 'v1' };

it('remembers a verdict over a restart', () => {
  expect(temp.store.modelChecks.get(key)).toBeUndefined();
  temp.store.modelChecks.put(key, { loadable: true, memoryBytes: 5 });
  expect(temp.reopen().modelChecks.get(key)).toEqual({ loadable: true, memoryBytes: 5 });
});

it('knows nothing of a file that changed, nor of another checker', () => {
  temp.store.modelChecks.put(key, true);
  for (const change of [{ path: '/b' }, { sizeBytes: 11 }, { mtimeMs: 5 }, { fingerprint: 'v2' }]) {
    expect(temp.store.modelChecks.get({ ...key, ...change })).toBeUndefined();
  }
});

it('keeps the last verdict of a path', () => {
  const { modelChecks } = temp.store;
  modelChecks.put(key, 'old');
  modelChecks.put({ ...key, sizeBytes: 11 }, null);
  expect(modelChecks.get(key)).toBeUndefined();
  expect(modelChecks.get({ ...key, sizeBytes: 11 })).toBeNull();
  modelChecks.delete(key.path);
  expect(modelChecks.get({ ...key, sizeBytes: 11 })).toBeUndefined();
});
