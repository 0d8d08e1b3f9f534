import { CacheMemory } from '../../../src/engine/llama/caches/cache-memory.ts';
import { LlamaBackend, type LlamaBackendOptions } from '../../../src/engine/llama/llama-backend.ts';
import type { FileModelSpec } from '../../../src/engine/model-backend.ts';
import { ModelEngine } from '../../../src/engine/model-engine.ts';
import { ModelPool } from '../../../src/engine/pool/model-pool.ts';
import { keptTestLlama, silentLog } from '../models/native-model.ts';
import { tinyModel } from '../models/tiny-model.ts';

export const contextTokens = 1024;

export type OpenedEngine = ModelEngine & { readonly modelState: ModelPool['state'] };

/**
 * An engine with a pool of its own, which goes with it, and two models: `endless` does not end its turn by itself,
 * `tiny` does.
 */
export async function openEngine(
  model: Partial<FileModelSpec> = {},
  options: Partial<LlamaBackendOptions> = {},
): Promise<OpenedEngine> {
  const llama = await keptTestLlama();
  const paths = new Map([
    ['endless', await tinyModel({ endOfTurnGain: 0 })],
    ['tiny', await tinyModel()],
  ]);
  const pool = new ModelPool({
    budget: { ramBytes: 2 ** 30, vramBytes: 0 },
    loadTimeoutMs: 60_000,
    failureCoolDownMs: 1000,
    queueLimit: 64,
    log: silentLog,
  });
  const backend = new LlamaBackend({
    llama,
    checkFile: async () => ({ loadable: true }),
    cacheMemory: new CacheMemory(2 ** 26),
    targetGapMs: 100,
    queueLimit: 64,
    queueTimeoutMs: 60_000,
    log: silentLog,
    ...options,
  });
  const engine = new ModelEngine({
    pool,
    findModel(id) {
      const path = paths.get(id);
      if (path === undefined) return undefined;
      const spec = { id, kind: 'chat', path, contextTokens, parallel: 4, threads: 1, gpuLayers: 0 } as const;
      return backend.loadable({ ...spec, keepAliveMs: undefined, ...model });
    },
  });
  const closeEngine = engine.close.bind(engine);
  engine.close = async (graceMs) => {
    await closeEngine(graceMs);
    await backend.close();
    await pool.close();
  };
  return Object.assign(engine, { modelState: (id: string) => pool.state(id) });
}
