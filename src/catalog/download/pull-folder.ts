import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pullRecordPath, readPullRecord, type PulledFile, type PullRecord } from '../pulls/pulled-files.ts';
import { DownloadError } from './download-error.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { hashFile, removePart } from './part-file.ts';
import { originOf, type RemoteFile } from './fetch-file.ts';

/** Space that a pull leaves free on the disk, for the database above all. */
const reserveBytes = 256 * 1024 * 1024;

/**
 * The file in `folder` that is `remote` already; undefined when `remote` must be downloaded, as a new file or in place
 * of an older version. Throws DownloadError when an unrelated file has its name.
 */
export async function findPresent(
  folder: string,
  remote: RemoteFile,
  key: string,
  record: PullRecord | undefined,
): Promise<PulledFile | undefined> {
  const { name } = remote;
  const path = join(folder, name);
  const sizeBytes = await sizeOnDisk(path);
  if (sizeBytes === undefined) return undefined;
  const recorded = record?.files.find((file) => file.name === name);
  if (recorded?.sizeBytes === sizeBytes && record?.sources.includes(key) === true) {
    if (remote.sha256 === undefined || remote.sha256 === recorded.sha256) return recorded;
  }
  if (remote.sha256 !== undefined && (remote.sizeBytes ?? sizeBytes) === sizeBytes) {
    if ((await hashFile(path)) === remote.sha256) return { name, sizeBytes, sha256: remote.sha256 };
  }
  // It was pulled from the same URL: the newer version replaces it.
  if (record?.origin === originOf(remote.url)) return undefined;
  throw new DownloadError(`${path} is there already, and is another file`, {
    hint: 'remove it first, or give it another name',
  });
}

/** Bytes of `remotes` that must still be downloaded; what earlier attempts left in parts is not counted. */
export async function missingBytesOf(
  folder: string,
  remotes: readonly RemoteFile[],
  present: readonly (PulledFile | undefined)[],
): Promise<number> {
  let missingBytes = 0;
  for (const [index, remote] of remotes.entries()) {
    if (present[index] !== undefined) continue;
    const partBytes = (await sizeOnDisk(join(folder, `${remote.name}.part`))) ?? 0;
    missingBytes += Math.max(0, (remote.sizeBytes ?? 0) - partBytes);
  }
  return missingBytes;
}

export async function freeDiskBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Throws DownloadError when `neededBytes` and a reserve do not fit into `freeBytes`. */
export function checkFreeDisk(neededBytes: number, freeBytes: number, folder: string): void {
  if (neededBytes + reserveBytes <= freeBytes) return;
  throw new DownloadError(
    `${formatBytes(neededBytes)} are still to be downloaded, but only ${formatBytes(freeBytes)} are free in ${folder}`,
    { hint: 'make room, or choose a smaller model or quantisation' },
  );
}

/** Writes the record of a pull beside its first file. A reader sees the old record or the new one, never half of it. */
export async function writePullRecord(firstFilePath: string, record: PullRecord): Promise<void> {
  const path = pullRecordPath(firstFilePath);
  const temporaryPath = `${path}.${process.pid}.tmp`;
  await writeFile(temporaryPath, `${JSON.stringify(record, undefined, 2)}\n`);
  await rename(temporaryPath, path);
}

/** The paths of a pulled model's files, which are removed together with their parts and the record. */
export async function removePulled(firstFilePath: string): Promise<readonly string[]> {
  const folder = dirname(firstFilePath);
  const record = readPullRecord(pullRecordPath(firstFilePath));
  const paths = record?.files.map(({ name }) => join(folder, name)) ?? [firstFilePath];
  for (const path of paths) {
    await rm(path, { force: true });
    await removePart(`${path}.part`);
  }
  await rm(pullRecordPath(firstFilePath), { force: true });
  return paths;
}

async function sizeOnDisk(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}
