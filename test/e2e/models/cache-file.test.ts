import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completeChat, openClient, textOf } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { makeAccount, makeKey } from '../../support/server/make-accounts.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const folder = await mkdtemp(join(tmpdir(), 'hearth-cache-file-'));
const dataDir = join(folder, 'data');
const source = join(folder, 'model.gguf');
const slidingModel = await tinyModel({ architecture: 'gemma3' });
const caches = join(dataDir, 'caches');
const prompt =
  'In the evening the small boats come home from the blue sea. What do they carry, and who waits for them at the quay?';

let server: RunningServer;
const keys = { ann: '', bob: '', eve: '' };

interface Setting {
  readonly cacheFile?: boolean;
  readonly isolation?: 'none' | 'process';
}

/** The server on the same data folder as before. */
async function start({ cacheFile = true, isolation = 'none' }: Setting = {}) {
  const settings = { ...oneThread, ...(cacheFile && { cacheFile }) };
  const models = [
    { id: 'tiny', source, ...settings },
    { id: 'sliding', source: slidingModel, ...settings },
  ];
  const config = { demo: false, isolation, cacheMemory: '64MiB', models };
  server = await startServer({ modelsDirs: [], dataDir, config });
}

async function restart(options: Setting = {}) {
  expect(await server.stop()).toEqual({ code: 0, signal: null });
  await start(options);
}

async function ask(apiKey: string, model = 'tiny') {
  const options = { max_tokens: 12, temperature: 0, ignore_eos: true };
  const completion = await completeChat(openClient({ ...server, apiKey }), model, prompt, options);
  return { text: textOf(completion), cached: completion.usage?.prompt_tokens_details?.cached_tokens ?? 0 };
}

async function cacheFiles(): Promise<string[]> {
  const names = await readdir(caches, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.cache')).map((name) => join(caches, name));
}

beforeAll(async () => {
  await mkdir(dataDir);
  await copyFile(await tinyModel(), source);
  await start({ isolation: 'process' });
  for (const name of ['ann', 'bob', 'eve'] as const) {
    makeAccount(server, name);
    keys[name] = makeKey(server, name).secret;
  }
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('cacheFile', () => {
  let text: string;

  it('has conversations go on after a restart, for their accounts only', { timeout: 120_000 }, async () => {
    const first = await ask(keys.ann);
    expect(first.cached).toBe(0);
    ({ text } = first);
    await ask(keys.bob);
    await restart();
    expect(await cacheFiles()).toHaveLength(2);
    expect((await ask(keys.eve)).cached).toBe(0);
    for (const key of [keys.ann, keys.bob]) {
      const { cached, text: again } = await ask(key);
      expect(cached).toBeGreaterThan(50);
      expect(again).toBe(text);
    }
  });

  it('writes nothing down in clear, and puts nothing into a backup', async () => {
    for (const file of await cacheFiles()) {
      const bytes = await readFile(file);
      for (const clear of ['boats', ...Object.values(keys)]) expect(bytes.includes(clear)).toBe(false);
    }
    const backup = join(folder, 'backup.tar');
    await hearthCli(server, 'backup', backup);
    const bytes = await readFile(backup);
    for (const file of await cacheFiles()) expect(bytes.includes(basename(file))).toBe(false);
  });

  it('deletes the file of an account that is removed, and writes it no more', async () => {
    await hearthCli(server, 'accounts', 'rm', 'bob', '--yes');
    expect(await cacheFiles()).toHaveLength(1);
    await server.stop();
    expect(await cacheFiles()).toHaveLength(2);
  });

  it('deletes damaged files and computes again', async () => {
    const [changed = '', cut = ''] = await cacheFiles();
    const bytes = await readFile(changed);
    await writeFile(changed, bytes.with(200, 255 - (bytes[200] ?? 0)));
    await writeFile(cut, (await readFile(cut)).subarray(0, 1000));
    await start();
    expect(await ask(keys.ann)).toEqual({ text, cached: 0 });
    await expect.poll(() => server.stderr().match(/deleted kept caches/g)).toHaveLength(1);
    expect(await cacheFiles()).toEqual([]);
  });

  it('keeps what a model with a sliding window remembers', { timeout: 120_000 }, async () => {
    await ask(keys.ann);
    const { text: expected } = await ask(keys.ann, 'sliding');
    const files = await cacheFiles();
    await restart();
    expect(await cacheFiles()).toHaveLength(files.length + 2);
    const again = await ask(keys.ann, 'sliding');
    expect(again.cached).toBeGreaterThan(50);
    expect(again.text).toBe(expected);
  });

  it('deletes the files of another state of the model file', async () => {
    await server.stop();
    expect(await cacheFiles()).toHaveLength(2);
    await utimes(source, new Date(), new Date(Date.now() - 60_000));
    await start();
    expect(await ask(keys.ann)).toEqual({ text, cached: 0 });
    await expect.poll(() => server.stderr()).toContain('deleted kept caches');
  });

  it('that is not set leaves no file', async () => {
    await restart({ cacheFile: false });
    expect(await ask(keys.ann)).toEqual({ text, cached: 0 });
    expect(await cacheFiles()).toEqual([]);
    await server.stop();
    expect(await cacheFiles()).toEqual([]);
  });
});
