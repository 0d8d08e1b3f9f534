import { keyState } from '../accounts/keys.ts';
import { BatchRunner } from '../batches/batch-runner.ts';
import { Batches } from '../batches/batches.ts';
import type { Config } from '../config/types.ts';
import { FileLibrary } from '../files/file-library.ts';
import type { Log } from '../telemetry/log.ts';
import type { Services } from './services.ts';

export interface OpenBatches {
  readonly files: FileLibrary;
  readonly batches: Batches;
  readonly runner: BatchRunner;
}

/** Lines of a model that are on their way beside those in its slots, so that no slot waits for its next one. */
const linesAhead = 2;

/** Files and batches of accounts. Nothing is computed before the runner is started. */
export function openBatches(config: Config, services: Services, log: Log): OpenBatches {
  const { store, now, catalog, models } = services;
  const files = new FileLibrary({ store, folder: config.filesDir, limitBytes: config.filesLimitBytes, now });
  files.sweep();
  const runner = new BatchRunner({
    store,
    files,
    now,
    log,
    isKeyValid: (keyId) => {
      const key = store.keys.byId(keyId);
      return key !== undefined && keyState(key, now()) === 'active';
    },
    capacityOf: (modelName) => {
      const modelId = catalog.find(modelName)?.id ?? '';
      // One line has the model loaded; the others follow when it is there.
      const { state, slots = 1 } = models.status(modelId);
      return { modelId, lines: state === 'loaded' ? slots + linesAhead : 1 };
    },
  });
  return { files, runner, batches: new Batches({ store, files, runner, now }) };
}
