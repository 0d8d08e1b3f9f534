import { ModelPool } from '/work/main/src/engine/model-pool.ts';
import { LlamaEngine } from '/work/main/src/engine/llama/llama-engine.ts';
import { CacheMemory } from '/work/main/src/engine/llama/cache-memory.ts';
import { openTestLlama, silentLog } from '/work/main/test/support/native-model.ts';
import { tinyEncoder } from '/work/main/test/support/tiny-model.ts';
const path = await tinyEncoder({ contextTokens: 1500 });
const llama = await openTestLlama();
const pool = new ModelPool({ budget: { ramBytes: 2 ** 30, vramBytes: 0 }, loadTimeoutMs: 60_000, failureCoolDownMs: 1000, queueLimit: 64, log: silentLog });
const engine = new LlamaEngine({ llama, pool, findModel: (id) => ({ id, kind: 'embedding', path, contextTokens: undefined, parallel: 4, threads: 1, gpuLayers: 0, keepAliveMs: undefined }), checkFile: async () => ({ loadable: true }), cacheMemory: new CacheMemory(2 ** 26), targetGapMs: 100, queueLimit: 64, queueTimeoutMs: 60_000, log: silentLog });
for (const n of [50, 1490, 1498, 60]) {
  const end = await engine.embed({ modelId: 'e', keyId: 'k', inputs: [Array.from({ length: n }, () => 7)], dimensions: undefined }, new AbortController().signal);
  console.log(n, end.outcome, end.usage, (end as any).error?.message, (end as any).error?.cause?.message);
}
await engine.close(0); await pool.close(); await llama.dispose();
