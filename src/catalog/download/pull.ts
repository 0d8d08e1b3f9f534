import type { LookupFunction } from 'node:net';
import { join, resolve } from 'node:path';
import { makeFolder } from '../../private-files.ts';
import { inspectModelFile } from '../files/model-file.ts';
import { parseModelSource, sourceKey, type ModelSource } from '../pulls/model-source.ts';
import { checkPulledId, type PullNaming } from '../pulls/pull-naming.ts';
import {
  folderOfSource,
  pullRecordPath,
  readPullRecord,
  writePullRecord,
  type PulledFile,
} from '../pulls/pulled-files.ts';
import { DownloadError } from './download-error.ts';
import { fetchFile, originOf, type RemoteFile } from './fetch-file.ts';
import { localName, resolveHfSource } from './hugging-face/hf-repository.ts';
import type { Environment, Network } from './http/http-get.ts';
import { ProgressReporter, type PullProgress } from './progress-reporter.ts';
import { acquireFileLock, checkFreeDisk, findPresent, freeDiskBytes, missingBytesOf } from './pull-folder.ts';

export interface PullOptions {
  readonly folder: string;
  /** SHA-256 that the file must have, in hex; of several files, the first one. */
  readonly sha256?: string | undefined;
  /** The id to serve the model under; undefined: the id that it has already, else the file's name. */
  readonly id?: string | undefined;
  /** Names that the pulled model must not take from another; default: any id is free. */
  readonly naming?: PullNaming | undefined;
  /** Refuses URLs that lead into this machine or its network, also where the caller names one. Default: false. */
  readonly publicOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: PullProgress) => void) | undefined;
  /** HF_ENDPOINT, HF_TOKEN and the proxies; default: process.env. */
  readonly env?: Environment | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly stallTimeoutMs?: number | undefined;
  readonly maxFailures?: number | undefined;
  readonly retryDelayMs?: number | undefined;
  readonly freeDiskBytes?: ((folder: string) => Promise<number>) | undefined;
}

export interface PulledModel {
  readonly path: string;
  readonly files: readonly PulledFile[];
  readonly sizeBytes: number;
  /** True when nothing had to be downloaded. */
  readonly wasThere: boolean;
}

type PullableSource = Exclude<ModelSource, { kind: 'path' }>;

/**
 * The model of `source` (`hf:Owner/Repo:QUANT` or a URL), downloaded into the folder of pulled models or found there.
 * When several calls, also in other processes, want one file, one downloads it and the others wait. A partial download
 * is kept, and the next call continues it. Rejects with DownloadError or ModelSourceError; with the signal's reason on
 * abort.
 */
export async function pullModel(source: string, options: PullOptions): Promise<PulledModel> {
  options.signal?.throwIfAborted();
  const parsed = parseModelSource(source);
  if (parsed.kind === 'path') {
    throw new DownloadError(`"${source}" is nothing that could be pulled`, {
      hint: 'write hf:Owner/Repository:QUANT or an https URL',
    });
  }
  const folder = folderOfSource(resolve(options.folder), parsed);
  makeFolder(folder);
  return await new Pull(folder, parsed, options).run();
}

/** One call of pullModel. While it holds the lock it is the only writer of these files. */
class Pull {
  readonly #folder: string;
  readonly #source: PullableSource;
  readonly #options: PullOptions;
  readonly #network: Network;
  readonly #signal: AbortSignal;

  constructor(folder: string, source: PullableSource, options: PullOptions) {
    this.#folder = folder;
    this.#source = source;
    this.#options = options;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#network = {
      env: options.env ?? process.env,
      stallTimeoutMs: options.stallTimeoutMs ?? 30_000,
      lookup: options.lookup,
      publicOnly: options.publicOnly === true && source.kind === 'url',
    };
  }

  async run(): Promise<PulledModel> {
    const { id, naming, onProgress = () => undefined } = this.#options;
    const remotes = await this.#resolveSource();
    const [first] = remotes;
    if (first === undefined) throw new DownloadError('there is nothing to fetch');
    const path = join(this.#folder, first.name);
    if (naming !== undefined) checkPulledId(path, id, naming);
    const reporter = new ProgressReporter(remotes, onProgress);
    const release = await acquireFileLock(join(this.#folder, `.${first.name}.lock`), this.#signal, () =>
      reporter.note(first, 'this file is being pulled already: waiting for it'),
    );
    try {
      const { files, wasThere } = await this.#fetchMissing(first, remotes, reporter);
      await this.#remember(path, first, files);
      return { path, files, sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), wasThere };
    } finally {
      await release();
    }
  }

  async #resolveSource(): Promise<readonly RemoteFile[]> {
    const sha256 = this.#options.sha256?.toLowerCase();
    if (this.#source.kind === 'hf') {
      const remotes = await resolveHfSource(this.#source, this.#network, this.#signal);
      return remotes.map((remote, index) => (index === 0 ? withHash(remote, sha256) : remote));
    }
    const { url } = this.#source;
    const name = localName(url.pathname);
    return [{ url, name, sizeBytes: undefined, sha256, authorization: undefined }];
  }

  async #fetchMissing(
    first: RemoteFile,
    remotes: readonly RemoteFile[],
    reporter: ProgressReporter,
  ): Promise<{ readonly files: readonly PulledFile[]; readonly wasThere: boolean }> {
    const folder = this.#folder;
    const record = readPullRecord(pullRecordPath(join(folder, first.name)));
    const present: (PulledFile | undefined)[] = [];
    for (const remote of remotes) {
      present.push(await findPresent(folder, remote, sourceKey(this.#source), record));
    }
    await this.#checkRoom(await missingBytesOf(folder, remotes, present));

    const files: PulledFile[] = [];
    for (const [index, remote] of remotes.entries()) {
      const file = present[index] ?? (await this.#fetch(remote, reporter));
      reporter.fileIsThere(remote, file.sizeBytes);
      files.push(file);
    }
    return { files, wasThere: present.every((file) => file !== undefined) };
  }

  async #fetch(remote: RemoteFile, reporter: ProgressReporter): Promise<PulledFile> {
    const { maxFailures = 6, retryDelayMs = 1000 } = this.#options;
    const fetched = await fetchFile(remote, join(this.#folder, remote.name), {
      network: this.#network,
      signal: this.#signal,
      maxFailures,
      retryDelayMs,
      onBytes: (receivedBytes, totalBytes) => reporter.bytes(remote, receivedBytes, totalBytes),
      checkRoom: (missingBytes) => this.#checkRoom(Math.max(0, missingBytes)),
      onRetry: (error, delayMs) =>
        reporter.note(remote, `${error.message}; trying again in ${Math.ceil(delayMs / 1000)} s`),
      inspect: (path) => {
        const inspection = inspectModelFile(path);
        return inspection.outcome === 'skipped' ? inspection.reason : undefined;
      },
    });
    return { name: remote.name, ...fetched };
  }

  async #checkRoom(missingBytes: number): Promise<void> {
    const freeBytes = await (this.#options.freeDiskBytes ?? freeDiskBytes)(this.#folder);
    checkFreeDisk(missingBytes, freeBytes, this.#folder);
  }

  async #remember(path: string, first: RemoteFile, files: readonly PulledFile[]): Promise<void> {
    const earlier = readPullRecord(pullRecordPath(path));
    const isSame = earlier?.files[0]?.sha256 === files[0]?.sha256;
    const sources = new Set([...(isSame ? (earlier?.sources ?? []) : []), sourceKey(this.#source)]);
    const id = this.#options.id ?? earlier?.id;
    await writePullRecord(path, {
      sources: [...sources],
      ...(id !== undefined && { id }),
      origin: originOf(first.url),
      files,
    });
  }
}

/** `remote` with the hash that the caller wants. Throws DownloadError when the listing has another one. */
function withHash(remote: RemoteFile, sha256: string | undefined): RemoteFile {
  if (sha256 === undefined) return remote;
  if (remote.sha256 !== undefined && remote.sha256 !== sha256)
    throw new DownloadError(`${remote.name} has the sha256 ${remote.sha256} there, not ${sha256}`);
  return { ...remote, sha256 };
}
