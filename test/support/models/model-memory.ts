import type { Loadable, PooledModel } from '../../../src/engine/pool/loadable.ts';
import { ModelPool } from '../../../src/engine/pool/model-pool.ts';
import type { ModelMemory } from '../../../src/engine/pool/model-status.ts';
import { createLog } from '../../../src/telemetry/log.ts';

const ram = (ramBytes: number) => ({ ramBytes, vramBytes: 0 });

/** A real pool with room for two of its models, which are there at once; `native-r` cannot be loaded. */
export function openModelMemory(): ModelMemory {
  const pool = new ModelPool({
    budget: ram(1000),
    loadTimeoutMs: 10_000,
    failureCoolDownMs: 10_000,
    queueLimit: 8,
    log: createLog({ level: 'silent' }),
  });
  const loadable = (id: string): Loadable<PooledModel> => ({
    id,
    keepAliveMs: 60_000,
    async plan() {
      if (id === 'native-r') throw new Error('the file is broken');
      const model = { memory: ram(400), contextTokens: 512, slots: 4, dispose: async () => undefined };
      return { memory: model.memory, remedy: 'Make it smaller.', load: async () => model };
    },
  });
  return {
    get memory() {
      return pool.memory;
    },
    get inMemory() {
      return pool.inMemory;
    },
    state: (modelId) => pool.state(modelId),
    status: (modelId) => pool.status(modelId),
    findNeeds: async () => undefined,
    async load(modelId, signal) {
      (await pool.acquire(loadable(modelId), { signal })).release();
    },
    unload: (modelId) => pool.unload(modelId),
  };
}
