import { fork } from 'node:child_process';
import { programBeside, watchChild } from '../../engine/processes/watch-child.ts';
import { DownloadError } from '../download/download-error.ts';
import type { PullMessage, PullRequest } from './pull-child.ts';
import type { LiveCatalog } from '../catalog.ts';
import type { CuratedModel } from './curated-models.ts';
import type { PullProgress } from '../download/progress-reporter.ts';
import type { PulledModel } from '../download/pull.ts';
import { SingleFlight, type FlightOptions } from '../../timing/single-flight.ts';
import type { ModelEntry } from '../model-entry.ts';
import { parseModelSource, sourceKey } from './model-source.ts';
import {
  findPulled,
  folderOfSource,
  pullRecordPath,
  readPullRecord,
  removePulled,
  wasPulled,
} from './pulled-files.ts';
import { namingOf } from './pull-naming.ts';
import { findPullTarget, unknownPullName, type PullTarget, type UnknownPullName } from './pull-target.ts';

export interface ModelPullerOptions {
  readonly catalog: Pick<LiveCatalog, 'list' | 'look' | 'unserved'>;
  readonly folder: string;
  readonly entries: () => readonly ModelEntry[];
  readonly curated: () => readonly CuratedModel[];
  /** Called when a pull has ended. */
  readonly onEnd?: ((outcome: 'pulled' | 'present' | 'stopped' | 'failed') => void) | undefined;
}

/** A pulled model and the id under which it is served now; undefined: another file has its name. */
export interface ServedPull extends PulledModel {
  readonly id: string | undefined;
}

/** Pulls models while hearth serves. Requests for the same model share one pull. */
export class ModelPuller {
  readonly #options: ModelPullerOptions;
  readonly #pulls = new SingleFlight<ServedPull, PullProgress>();

  constructor(options: ModelPullerOptions) {
    this.#options = options;
  }

  /**
   * The target that `name` stands for: a source, or a configured or curated model; undefined: none.
   * A URL that is not in the configuration may lead to public addresses only, because any client may have sent it.
   * Throws ModelSourceError.
   */
  find(name: string): PullTarget | undefined {
    const entries = this.#options.entries();
    const target = findPullTarget(name, entries, this.#options.curated());
    if (target === undefined) return undefined;
    if (parseModelSource(target.source).kind === 'path') return undefined;
    return { ...target, publicOnly: !entries.some(({ source }) => source === target.source) };
  }

  /** Suggestions for a `name` that stands for no model. */
  unknown(name: string): UnknownPullName {
    return unknownPullName(name, this.#options.entries(), this.#options.curated());
  }

  /** Resolves when the model is on the disk and in the catalog. Rejects as pullModel does. */
  async pull(target: PullTarget, options: FlightOptions<PullProgress>): Promise<ServedPull> {
    const { source, sha256 = '', id = '', publicOnly = false } = target;
    const key = [sourceKey(parseModelSource(source)), sha256, id, publicOnly].join('\0');
    return await this.#pulls.join(
      key,
      (signal, onProgress) => this.#pull(target, signal, onProgress),
      options,
    );
  }

  /** Whether the file at `path` came by a pull, so that `remove` would delete it. */
  hasPulled(path: string): boolean {
    return wasPulled(this.#options.folder, path);
  }

  /** Where the file at `path` came from, to be got again; undefined: by no pull, or from an address that was not kept. */
  sourceOf(path: string): string | undefined {
    if (!this.hasPulled(path)) return undefined;
    return readPullRecord(pullRecordPath(path))?.sources.find((source) => source.startsWith('hf:'));
  }

  /** The id under which the model of `source` is served; undefined: it was not pulled. */
  servedAs(source: string): string | undefined {
    const parsed = parseModelSource(source);
    if (parsed.kind === 'path') return undefined;
    const pulled = findPulled(folderOfSource(this.#options.folder, parsed), sourceKey(parsed));
    return pulled && this.#options.catalog.list().find(({ path }) => path === pulled.path)?.id;
  }

  /** Deletes the files of a model and the record of its pull; `id`: its id, or its path where it is not served. */
  async remove(id: string): Promise<boolean> {
    const { catalog } = this.#options;
    const path =
      catalog.list().find((model) => model.id === id)?.path ??
      catalog.unserved().find(({ name }) => name === id)?.name;
    if (path === undefined || !this.hasPulled(path)) return false;
    removePulled(path);
    await catalog.look();
    return true;
  }

  async #pull(
    target: PullTarget,
    signal: AbortSignal,
    onProgress: (progress: PullProgress) => void,
  ): Promise<ServedPull> {
    const { catalog, folder, entries, onEnd } = this.#options;
    try {
      await catalog.look();
      const naming = namingOf(target.source, catalog.list(), entries());
      const pulled = await pullInProcess({ ...target, folder, naming }, signal, onProgress);
      onEnd?.(pulled.wasThere ? 'present' : 'pulled');
      await catalog.look();
      return { ...pulled, id: catalog.list().find(({ path }) => path === pulled.path)?.id };
    } catch (error) {
      onEnd?.(signal.aborted ? 'stopped' : 'failed');
      throw error;
    }
  }
}

/** `pullModel` in a process of its own: hashing and writing gigabytes here would make running answers stutter. */
async function pullInProcess(
  request: PullRequest,
  signal: AbortSignal,
  onProgress: (progress: PullProgress) => void,
): Promise<PulledModel> {
  signal.throwIfAborted();
  const path = programBeside(import.meta.url, 'pull-child');
  const child = fork(path, [], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let last: Exclude<PullMessage, { type: 'progress' }> | undefined;
  child.on('message', (received) => {
    const message = received as PullMessage;
    if (message.type === 'progress') onProgress(message.progress);
    else last = message;
  });
  // Where the process could not start, its error event tells: the error of sending is ignored.
  child.send(request, () => undefined);
  const end = await watchChild(child, { signal, stopSignal: 'SIGTERM' }).catch((cause: Error) => {
    throw new DownloadError(`the download could not start: ${cause.message}`, { cause });
  });
  if (last?.type === 'pulled') return last.model;
  signal.throwIfAborted();
  if (last !== undefined) throw new DownloadError(last.message, { hint: last.hint });
  const cause = new Error(end.diagnostics.trim());
  const how = end.exitSignal ?? `exit code ${end.exitCode}`;
  throw new DownloadError(`the download ended with ${how}`, { cause });
}
