import { versionToLoad, type CatalogModel } from '../catalog/types.ts';
import { waitFor } from '../timing/wait-for.ts';

interface Planned {
  readonly version: string;
  tokens?: number | undefined;
  /** Resolves when `tokens` is known or will not be. */
  readonly ended: Promise<void>;
}

/** What one request to each model could have if it were loaded, found out without a load when somebody first asks. */
export class PlannedContexts {
  readonly #plan: (model: CatalogModel) => Promise<number | undefined>;
  readonly #planned = new Map<string, Planned>();

  /** `plan` throws where it finds nothing out. */
  constructor(plan: (model: CatalogModel) => Promise<number | undefined>) {
    this.#plan = plan;
  }

  /** The tokens, if they were found out for the model as it is now. */
  tokensOf(model: CatalogModel): number | undefined {
    return this.#current(model)?.tokens;
  }

  /** Resolves when the contexts of `models` are known, or after `patienceMs`: the rest is found out meanwhile. */
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
    const keep = (tokens: number | undefined): void => void (planned.tokens = tokens);
    const ended = this.#plan(model).then(keep, () => undefined);
    const planned: Planned = { version: versionToLoad(model), ended };
    this.#planned.set(model.id, planned);
    return planned;
  }
}
