import type { LiveCatalog } from './catalog.ts';
import type { CuratedModel } from './curated-models.ts';
import { pullInProcess } from './download/pull-process.ts';
import type { PulledModel, PullProgress } from './download/pull-types.ts';
import { SingleFlight, type FlightOptions } from './download/single-flight.ts';
import type { ModelEntry } from './model-entry.ts';
import { parseModelSource, sourceKey } from './model-source.ts';
import { findPullTarget, nearestPullNames, type PullTarget } from './pull-target.ts';

export interface ModelPullerOptions {
  readonly catalog: Pick<LiveCatalog, 'list' | 'rescan'>;
  /** The folder of pulled models. */
  readonly folder: string;
  readonly entries: () => readonly ModelEntry[];
  readonly curated: () => readonly CuratedModel[];
  /** Told how each pull ended. */
  readonly onEnd?: ((outcome: 'pulled' | 'present' | 'stopped' | 'failed') => void) | undefined;
}

/** A pulled model and the id under which it is served now; undefined: another file has its name. */
export interface ServedPull extends PulledModel {
  readonly id: string | undefined;
}

/** Pulls models while hearth serves; whoever asks for one that is on its way joins. */
export class ModelPuller {
  readonly #options: ModelPullerOptions;
  readonly #pulls = new SingleFlight<ServedPull, PullProgress>();

  constructor(options: ModelPullerOptions) {
    this.#options = options;
  }

  /**
   * What `name` stands for: a source, or the name of a configured or a curated model; undefined: nothing.
   * URLs that the configuration does not have may lead to public addresses only: whoever asks may be far away.
   * Throws ModelSourceError.
   */
  find(name: string): PullTarget | undefined {
    const entries = this.#options.entries();
    const target = findPullTarget(name, entries, this.#options.curated());
    if (target === undefined) return undefined;
    if (parseModelSource(target.source).kind === 'path') return undefined;
    return { ...target, publicOnly: !entries.some(({ source }) => source === target.source) };
  }

  /** At most three names that look like `name`. */
  nearest(name: string): readonly string[] {
    return nearestPullNames(name, this.#options.entries(), this.#options.curated());
  }

  /** Resolves when the model is on the disk and in the catalog. Rejects as pullModel does. */
  async pull(target: PullTarget, options: FlightOptions<PullProgress>): Promise<ServedPull> {
    const { source, sha256 = '', publicOnly = false } = target;
    const key = [sourceKey(parseModelSource(source)), sha256, publicOnly].join('\0');
    return await this.#pulls.join(
      key,
      (signal, onProgress) => this.#pull(target, signal, onProgress),
      options,
    );
  }

  async #pull(
    target: PullTarget,
    signal: AbortSignal,
    onProgress: (progress: PullProgress) => void,
  ): Promise<ServedPull> {
    const { catalog, folder, onEnd } = this.#options;
    try {
      const pulled = await pullInProcess({ ...target, folder }, signal, onProgress);
      onEnd?.(pulled.wasThere ? 'present' : 'pulled');
      catalog.rescan();
      return { ...pulled, id: catalog.list().find(({ path }) => path === pulled.path)?.id };
    } catch (error) {
      onEnd?.(signal.aborted ? 'stopped' : 'failed');
      throw error;
    }
  }
}
