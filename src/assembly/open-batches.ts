import { keyState } from '../accounts/keys.ts';
import { BatchRunner, type ModelCapacity } from '../batches/batch-runner.ts';
import { Batches } from '../batches/batches.ts';
import { MemoryInUseError } from '../engine/pool/loadable.ts';
import type { AddressStatus } from '../engine/pool/model-status.ts';
import { isInUse } from '../engine/pool/pool-entry.ts';
import type { Config } from '../config/types.ts';
import { FileLibrary } from '../files/file-library.ts';
import type { Log } from '../telemetry/log.ts';
import type { CatalogModel } from '../catalog/types.ts';
import type { Services } from './services.ts';

export interface OpenBatches {
  readonly files: FileLibrary;
  readonly batches: Batches;
  readonly runner: BatchRunner;
}

/** Lines of a model that are on their way beside those in its slots, so that no slot waits for its next one. */
const linesAhead = 2;
/** How long a batch that waits for a server says so at least, until it looks again. */
const askedWithinMs = 3000;
/** A model takes roughly 1.5 bytes of memory for each byte of its file. */
const memoryPerByte = 1.5;

/** Files and batches of accounts. Nothing is computed before the runner is started. */
export function openBatches(config: Config, services: Services, log: Log): OpenBatches {
  const { store, now, models, metrics } = services;
  const files = new FileLibrary({ store, folder: config.filesDir, limitBytes: config.filesLimitBytes, now });
  files.sweep();
  const runner = new BatchRunner({
    store,
    files,
    now,
    log,
    metrics,
    isKeyValid: (keyId) => {
      const key = store.keys.byId(keyId);
      return key !== undefined && keyState(key, now()) === 'active';
    },
    capacityOf: (modelName) => capacityOf(services, modelName),
    isLeaving: (modelId) => models.status(modelId).state === 'unloading',
  });
  return { files, runner, batches: new Batches({ store, files, runner, now }) };
}

/** One line has a model loaded, and only where that takes no memory from models that others use. */
function capacityOf(services: Services, modelName: string): ModelCapacity {
  const model = services.catalog.find(modelName);
  // Its one line gets the error.
  if (model === undefined) return { modelId: '', lines: 1 };
  const { state, slots = 1, addresses } = services.models.status(model.id);
  const isElsewhere = model.upstream !== undefined;
  // A line that another server computes does not give way, so one place is left for whoever comes.
  const lines = isElsewhere ? Math.max(1, slots - 1) : slots + linesAhead;
  if (state === 'failed' && addresses !== undefined)
    return { modelId: model.id, lines: 0, wait: untilBack(model, addresses) };
  if (state === 'loaded') return { modelId: model.id, lines };
  const mayBegin = isElsewhere || state !== 'available' || mayLoad(services, model);
  if (mayBegin && state !== 'unloading') return { modelId: model.id, lines: 1 };
  return {
    modelId: model.id,
    lines: 0,
    wait: { reason: new MemoryInUseError(model.id).message },
  };
}

/** No server of the model answers; they are asked again from time to time, without lines. */
function untilBack({ upstream }: CatalogModel, addresses: readonly AddressStatus[]) {
  const nextMs = Math.min(...addresses.map(({ probeAtMs }) => probeAtMs ?? 0));
  return {
    reason: 'The server that runs this model does not answer now.',
    code: 'model_unavailable',
    server: upstream?.label,
    // One that is being asked answers within seconds, or not.
    untilMs: Math.max(nextMs, Date.now() + askedWithinMs),
    mayEndBefore: true,
  } as const;
}

/** A guess from the file's size. The pool reads the model's need, and refuses to take it from models in use. */
function mayLoad({ models }: Services, { sizeBytes }: CatalogModel): boolean {
  const { budget, used } = models.memory;
  const free = budget.ramBytes + budget.vramBytes - used.ramBytes - used.vramBytes;
  if (sizeBytes * memoryPerByte <= free) return true;
  return models.inMemory.every((id) => {
    const { requests = 0, lastAwaitedAtMs = 0 } = models.status(id);
    return !isInUse(requests, lastAwaitedAtMs);
  });
}
