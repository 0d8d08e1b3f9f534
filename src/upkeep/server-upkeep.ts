import { loadCuratedModels } from '../catalog/pulls/curated-models.ts';
import { ModelPuller } from '../catalog/pulls/model-puller.ts';
import { curatedModelsFile } from '../config/paths.ts';
import type { Config } from '../config/types.ts';
import type { Services } from '../assembly/services.ts';
import type { Log } from '../telemetry/log.ts';
import { ModelUpkeep } from './model-upkeep.ts';

/** Keeps models, voices and plans in step with a configuration that may change. */
export class ServerUpkeep {
  readonly puller: ModelPuller;
  readonly models: ModelUpkeep;
  readonly #services: Services;
  readonly #log: Log;
  #entries: Config['models'];
  #voices: Config['voices'];

  constructor(config: Config, services: Services, log: Log) {
    const { catalog, metrics, models } = services;
    this.#services = services;
    this.#log = log;
    this.#tellHiddenPlans();
    this.#entries = config.models;
    this.#voices = config.voices;
    this.puller = new ModelPuller({
      catalog,
      folder: config.pulledModelsDir,
      entries: () => this.#entries,
      curated: () => loadCuratedModels(curatedModelsFile),
      onEnd: (outcome) => metrics.pullEnded(outcome),
    });
    this.models = new ModelUpkeep({
      catalog,
      models,
      pull: (target, signal) => this.puller.pull(target, { signal }),
      log,
    });
  }

  /** The models that are configured now. */
  get entries(): Config['models'] {
    return this.#entries;
  }

  /** The voices that are configured now. */
  get voices(): Config['voices'] {
    return this.#voices;
  }

  /** Rejects with CatalogConflictError, and then nothing has changed. */
  async reconfigure(next: Config): Promise<void> {
    const { catalog, plans, now } = this.#services;
    await catalog.prepare(next.models);
    this.models.follow(() => catalog.configure(next.models));
    this.#entries = next.models;
    this.#voices = next.voices;
    plans.replace(next.plans, now(), next.prices);
    this.#tellHiddenPlans();
  }

  #tellHiddenPlans(): void {
    const { hidden } = this.#services.plans;
    if (hidden.length > 0)
      this.#log.warn(
        { plans: hidden },
        'plans that were made on the page stand in the settings too, which hold',
      );
  }
}
