/** The program that runs one isolated model for its parent, a ModelProcess, until the parent ends it. */
import { createLog } from '../../telemetry/log.ts';
import { CacheMemory } from '../llama/caches/cache-memory.ts';
import { forEachFileEngine } from '../file-engines.ts';
import { LazyLlama } from '../llama/lazy-llama.ts';
import { LocalBackend } from './local-backend.ts';
import type { FileCheck } from '../model-backend.ts';
import { standBack, watchParent } from '../processes/serve-jobs.ts';
import { ThreadBudget } from '../queue/thread-budget.ts';
import type { ProcessSettings, ToProcess } from './messages.ts';
import { Outbox } from './outbox.ts';
import { ServedCalls } from './served-calls.ts';

const { logLevel, gpu, mathCores, ...limits } = JSON.parse(process.argv[2] ?? '{}') as ProcessSettings;
// At once: an ordinary exit would wait for threads that compute.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
standBack(['SIGINT', 'SIGHUP', 'SIGTERM']);
watchParent();

const log = createLog({ level: logLevel });
const llama = new LazyLlama(log, gpu);
const cacheMemory = new CacheMemory(0);
const checkedByParent: FileCheck = async () => ({ loadable: true });
const outbox = new Outbox(() => {
  const { model } = calls;
  if (model === undefined) return undefined;
  const { memory, contextTokens, slots, busySlots, waiting } = model;
  return { memory, contextTokens, slots, busySlots, waiting, cacheBytes: cacheMemory.usedBytes };
});
const backend = new LocalBackend({
  ...limits,
  log,
  llama,
  openCacheMemory: () => cacheMemory,
  threadBudget: new ThreadBudget(mathCores),
  checks: forEachFileEngine(() => checkedByParent),
  observer: {
    modelLoaded: () => undefined,
    modelLoadFailed: () => undefined,
    modelUnloaded: () => undefined,
    generationEnded: (_modelId, times) => outbox.add({ kind: 'timed', times }),
  },
});
const calls = new ServedCalls(backend, llama, outbox);

process.on('message', (message: ToProcess) => {
  switch (message.kind) {
    case 'call':
      void calls.serve(message.id, message.call);
      return;
    case 'samples':
      return calls.addSamples(message.id, message.samples);
    case 'abort':
      return calls.abort(message.id);
    case 'claimed':
      return calls.settleClaim(message.id, message.isGranted);
    case 'ping':
      return outbox.send();
    case 'cache':
      return cacheMemory.resize(message.bytes);
  }
});
outbox.send();
