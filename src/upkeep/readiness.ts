import type { LiveCatalog } from '../catalog/catalog.ts';
import type { ModelMemory } from '../engine/pool/model-status.ts';
import { AppError } from '../errors/errors.ts';
import type { Store } from '../store/store.ts';
import type { Log } from '../telemetry/log.ts';

export interface ReadinessDeps {
  readonly store: Pick<Store, 'checkWritable'>;
  readonly catalog: Pick<LiveCatalog, 'list' | 'pending'>;
  readonly models: Pick<ModelMemory, 'status'>;
  /** Models that the configuration preloads and that are still being loaded. */
  readonly awaited: () => readonly string[];
  readonly log: Log;
}

/** A function that returns the not_ready error with every reason, or undefined when requests can be served. */
export function createReadiness({
  store,
  catalog,
  models,
  awaited,
  log,
}: ReadinessDeps): () => AppError | undefined {
  const storeReason = (): string | undefined => {
    try {
      store.checkWritable();
      return undefined;
    } catch (err) {
      log.warn({ err }, 'the database cannot be written');
      return 'the database cannot be written';
    }
  };
  const modelReason = (): string | undefined => {
    const served = catalog.list();
    if (served.length === 0) {
      const pending = catalog.pending().filter(({ pullable }) => pullable);
      if (pending.length > 0) return `${idsOf(pending)} must be pulled first`;
      return 'there is no model: get one with "hearth models pull"';
    }
    const failed = unavailableModels({ catalog, models });
    if (failed.length === served.length)
      return `${idsOf(served)} cannot be loaded: ${failed[0]?.reason ?? 'see the log'}`;
    const [loading] = awaited();
    return loading === undefined ? undefined : `${loading} is being loaded`;
  };
  return () => {
    const reasons = [storeReason(), modelReason()].filter((reason) => reason !== undefined);
    return reasons.length === 0 ? undefined : new AppError('not_ready', `Not ready: ${reasons.join('; ')}.`);
  };
}

/** The models that cannot serve now, and why. */
export function unavailableModels({ catalog, models }: Pick<ReadinessDeps, 'catalog' | 'models'>) {
  return catalog.list().flatMap(({ id }) => {
    const { state, error = 'see the log' } = models.status(id);
    return state === 'failed' ? [{ model: id, reason: error }] : [];
  });
}

const maxNamed = 5;

function idsOf(models: readonly { readonly id: string }[]): string {
  const ids = models.slice(0, maxNamed).map(({ id }) => id);
  return [...ids, ...(models.length > maxNamed ? ['…'] : [])].join(', ');
}
