import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cacheFileName } from '../../../../../src/engine/llama/cache-files/cache-names.ts';
import {
  deleteCachesOf,
  placeOfModel,
  sweepCaches,
} from '../../../../../src/engine/llama/cache-files/sweep-caches.ts';

const secret = Buffer.from('secret');

/** A folder with a file for each pair of a model and an account. */
async function makeCaches(...owners: readonly (readonly [model: string, account: string])[]) {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-sweep-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const root = { folder, secret };
  for (const [model, account] of owners) {
    const place = placeOfModel(root, model);
    await mkdir(place.folder, { recursive: true });
    await writeFile(join(place.folder, cacheFileName(secret, account, Uint32Array.of(1, 2))), 'cache');
  }
  const left = async (model: string) =>
    await readdir(placeOfModel(root, model).folder).catch(() => undefined);
  return { root, left };
}

describe('the sweep of kept caches', () => {
  it('leaves those of models that keep some and of accounts that there are, and nothing else', async () => {
    const { root, left } = await makeCaches(['a', 'ann'], ['a', 'gone'], ['b', 'ann']);
    const { folder } = placeOfModel(root, 'a');
    await writeFile(join(folder, 'notes.txt'), 'no cache');
    await writeFile(join(root.folder, 'stray'), 'no folder');
    await sweepCaches(root, { modelIds: ['a', 'c'], accountIds: () => ['ann', 'bob'] });
    expect(await left('a')).toEqual([cacheFileName(secret, 'ann', Uint32Array.of(1, 2))]);
    expect(await left('b')).toBeUndefined();
    expect(await readdir(root.folder)).toHaveLength(1);
  });

  it('has nothing to do where there is no folder', async () => {
    const root = { folder: join(tmpdir(), 'hearth-no-such-folder'), secret };
    await sweepCaches(root, { modelIds: [], accountIds: () => [] });
    await deleteCachesOf(root, 'ann');
  });

  it('takes the caches of one account from all models', async () => {
    const { root, left } = await makeCaches(['a', 'ann'], ['a', 'bob'], ['b', 'ann']);
    await deleteCachesOf(root, 'ann');
    expect(await left('a')).toHaveLength(1);
    expect(await left('b')).toEqual([]);
  });
});

describe('the name of a file', () => {
  it('tells neither account nor tokens to those who lack the secret', () => {
    const name = cacheFileName(secret, 'acct_1', Uint32Array.of(1, 2));
    expect(name).toMatch(/^[0-9a-f]{16}-[0-9a-f]{32}\.cache$/);
    expect(cacheFileName(secret, 'acct_1', Uint32Array.of(1, 3))).not.toBe(name);
    expect(cacheFileName(Buffer.from('other'), 'acct_1', Uint32Array.of(1, 2)).slice(0, 16)).not.toBe(
      name.slice(0, 16),
    );
  });
});
