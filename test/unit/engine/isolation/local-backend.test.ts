import { appendFile, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { forEachFileEngine, type EngineFileSpec } from '../../../../src/engine/file-engines.ts';
import { LocalBackend } from '../../../../src/engine/isolation/local-backend.ts';
import { CacheMemory } from '../../../../src/engine/llama/caches/cache-memory.ts';
import { LazyLlama } from '../../../../src/engine/llama/lazy-llama.ts';
import { ThreadBudget } from '../../../../src/engine/queue/thread-budget.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { tinyModel } from '../../../support/models/tiny-model.ts';

it('refuses a model whose file is written to between its check and the end of its load', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-changed-'));
  const path = join(folder, 'model.gguf');
  await copyFile(await tinyModel(), path);
  const log = createLog({ level: 'silent' });
  let isWritten = true;
  const backend = new LocalBackend({
    llama: new LazyLlama(log, false),
    openCacheMemory: () => new CacheMemory(0),
    threadBudget: new ThreadBudget(1),
    checks: forEachFileEngine(() => async () => {
      if (isWritten) await appendFile(path, 'more');
      return { loadable: true };
    }),
    targetGapMs: 100,
    queueLimit: 1,
    queueTimeoutMs: 1000,
    log,
  });
  const signal = AbortSignal.timeout(60_000);
  const spec: EngineFileSpec = {
    id: 'a',
    kind: 'chat',
    engine: 'llama',
    path,
    parallel: 1,
    preload: false,
    contextTokens: undefined,
    threads: 1,
    gpuLayers: undefined,
    keepAliveMs: undefined,
  };
  const load = async () => {
    const plan = await backend.loadable(spec).plan({ ramBytes: 2 ** 30, vramBytes: 0 }, signal);
    return await plan.load(signal, () => Promise.resolve(undefined));
  };
  try {
    await expect(load()).rejects.toThrow('its file was changed while it was being loaded');
    isWritten = false;
    await (await load()).dispose();
  } finally {
    await backend.close();
    await rm(folder, { recursive: true });
  }
});
