import { versionToLoad, type CatalogModel } from '../catalog/types.ts';
import type { ModelNeeds } from '../engine/pool/model-status.ts';
import { waitFor } from '../timing/wait-for.ts';

interface Planned {
  readonly version: string;
  needs?: ModelNeeds | undefined;
  /** Resolves when `needs` is known or will not be. */
  readonly ended: Promise<void>;
}

/** The memory and the place that each model would have if it were loaded: found out when somebody first asks, without a load. */
export class PlannedLoads {
  readonly #plan: (model: CatalogModel) => Promise<ModelNeeds | undefined>;
  readonly #planned = new Map<string, Planned>();

  /** `plan` throws where it finds nothing out. */
  constructor(plan: (model: CatalogModel) => Promise<ModelNeeds | undefined>) {
    this.#plan = plan;
  }

  /** Undefined unless it was found out for the model as it is now. */
  needsOf(model: CatalogModel): ModelNeeds | undefined {
    return this.#current(model)?.needs;
  }

  /** Resolves when the needs of `models` are known, or after `patienceMs`: the rest is found out meanwhile. */
  async find(models: readonly CatalogModel[], patienceMs: number): Promise<void> {
    const ended = Promise.all(models.map((model) => (this.#current(model) ?? this.#start(model)).ended));
    const timeoutError = () => new Error('It takes longer');
    await waitFor(ended, { timeoutMs: patienceMs, timeoutError }).catch(() => undefined);
  }

  #current(model: CatalogModel): Planned | undefined {
    const planned = this.#planned.get(model.id);
    return planned?.version === versionToLoad(model) ? planned : undefined;
  }

  #start(model: CatalogModel): Planned {
    const keep = (needs: ModelNeeds | undefined): void => void (planned.needs = needs);
    const ended = this.#plan(model).then(keep, () => undefined);
    const planned: Planned = { version: versionToLoad(model), ended };
    this.#planned.set(model.id, planned);
    return planned;
  }
}
