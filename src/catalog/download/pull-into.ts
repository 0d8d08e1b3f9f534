import { join } from 'node:path';
import { inspectModelFile } from '../model-file.ts';
import { sourceKey, type ModelSource } from '../model-source.ts';
import { checkPulledId, type PullNaming } from '../pull-naming.ts';
import { pullRecordPath, readPullRecord, type PulledFile } from '../pulled-files.ts';
import { DownloadError } from './download-error.ts';
import { fetchFile } from './fetch-file.ts';
import { acquireFileLock } from './file-lock.ts';
import { checkFreeDisk, freeDiskBytes } from './free-disk.ts';
import { localName, resolveHfSource } from './hf-repository.ts';
import type { Network } from './http-get.ts';
import { findPresent, missingBytesOf } from './present-file.ts';
import { ProgressReporter } from './progress-reporter.ts';
import type { PulledModel, PullProgress } from './pull-types.ts';
import type { RemoteFile } from './remote-file.ts';
import { originOf } from './transfer.ts';
import { writePullRecord } from './write-pull-record.ts';

export interface PullContext {
  readonly network: Network;
  readonly sha256: string | undefined;
  readonly id: string | undefined;
  readonly naming: PullNaming | undefined;
  readonly signal: AbortSignal;
  readonly maxFailures: number;
  readonly retryDelayMs: number;
  readonly freeDiskBytes: ((folder: string) => Promise<number>) | undefined;
  readonly onProgress: (progress: PullProgress) => void;
}

type PullableSource = Exclude<ModelSource, { kind: 'path' }>;

/** Brings the files of `source` into `folder` and records them there; the only writer of these files. */
export async function pullInto(
  folder: string,
  source: PullableSource,
  context: PullContext,
): Promise<PulledModel> {
  const remotes = await resolveSource(source, context);
  const [first] = remotes;
  if (first === undefined) throw new DownloadError('there is nothing to fetch');
  const path = join(folder, first.name);
  if (context.naming !== undefined) checkPulledId(path, context.id, context.naming);
  const reporter = new ProgressReporter(remotes, context.onProgress);
  const release = await acquireFileLock(join(folder, `.${first.name}.lock`), {
    signal: context.signal,
    onWait: () => reporter.note(first, 'another process is pulling this file: waiting for it'),
  });
  try {
    const { files, wasThere } = await fetchMissing(folder, sourceKey(source), remotes, reporter, context);
    await remember(path, sourceKey(source), context.id, first, files);
    return { path, files, sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), wasThere };
  } finally {
    await release();
  }
}

async function resolveSource(source: PullableSource, context: PullContext): Promise<readonly RemoteFile[]> {
  if (source.kind === 'hf') {
    const [first, ...others] = await resolveHfSource(source, context.network, context.signal);
    return first === undefined ? [] : [withHash(first, context.sha256), ...others];
  }
  const { url } = source;
  return [
    {
      url,
      name: localName(url.pathname),
      sizeBytes: undefined,
      sha256: context.sha256,
      authorization: undefined,
    },
  ];
}

/** `remote`, which must have this hash. */
function withHash(remote: RemoteFile, sha256: string | undefined): RemoteFile {
  if (sha256 === undefined) return remote;
  if (remote.sha256 !== undefined && remote.sha256 !== sha256)
    throw new DownloadError(`${remote.name} has the sha256 ${remote.sha256} there, not ${sha256}`);
  return { ...remote, sha256 };
}

async function fetchMissing(
  folder: string,
  key: string,
  remotes: readonly RemoteFile[],
  reporter: ProgressReporter,
  context: PullContext,
): Promise<{ readonly files: readonly PulledFile[]; readonly wasThere: boolean }> {
  const [first] = remotes;
  const record = first === undefined ? undefined : readPullRecord(pullRecordPath(join(folder, first.name)));
  const present: (PulledFile | undefined)[] = [];
  for (const remote of remotes) present.push(await findPresent(folder, remote, key, record));

  const { freeDiskBytes: free = freeDiskBytes } = context;
  checkFreeDisk(await missingBytesOf(folder, remotes, present), await free(folder), folder);

  const files: PulledFile[] = [];
  for (const [index, remote] of remotes.entries()) {
    const file = present[index] ?? (await fetchOne(folder, remote, reporter, context));
    reporter.fileIsThere(remote, file.sizeBytes);
    files.push(file);
  }
  return { files, wasThere: present.every((file) => file !== undefined) };
}

async function fetchOne(
  folder: string,
  remote: RemoteFile,
  reporter: ProgressReporter,
  context: PullContext,
): Promise<PulledFile> {
  const { freeDiskBytes: free = freeDiskBytes } = context;
  const fetched = await fetchFile(remote, join(folder, remote.name), {
    ...context,
    onBytes: (receivedBytes, totalBytes) => reporter.bytes(remote, receivedBytes, totalBytes),
    checkRoom: async (bytes) => checkFreeDisk(Math.max(0, bytes), await free(folder), folder),
    onRetry: (error, delayMs) =>
      reporter.note(remote, `${error.message}; trying again in ${Math.ceil(delayMs / 1000)} s`),
    inspect: (path) => {
      const inspection = inspectModelFile(path);
      return inspection.outcome === 'model' ? undefined : inspection.reason;
    },
  });
  return { name: remote.name, ...fetched };
}

async function remember(
  path: string,
  key: string,
  chosenId: string | undefined,
  first: RemoteFile,
  files: readonly PulledFile[],
): Promise<void> {
  const earlier = readPullRecord(pullRecordPath(path));
  const isSame = earlier?.files[0]?.sha256 === files[0]?.sha256;
  const sources = new Set([...(isSame ? (earlier?.sources ?? []) : []), key]);
  const id = chosenId ?? earlier?.id;
  await writePullRecord(path, {
    sources: [...sources],
    ...(id !== undefined && { id }),
    origin: originOf(first.url),
    files,
  });
}
