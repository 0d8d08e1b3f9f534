import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pullRecordPath, readPullRecord, type PulledFile, type PullRecord } from '../pulled-files.ts';
import { DownloadError } from './download-error.ts';
import { formatBytes } from '../../format-bytes.ts';
import { hashFile, removePart } from './part-file.ts';
import { originOf, type RemoteFile } from './transfer.ts';

/** Left free for everything else on the disk, the database first. */
const reserveBytes = 256 * 1024 * 1024;

/**
 * What lies in `folder` in the place of `remote` already, if it is the same; undefined when it is to be
 * fetched, be it as a newer version. Throws DownloadError when something else has this name.
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
  // A newer version of what was pulled from there takes its place.
  if (record?.origin === originOf(remote.url)) return undefined;
  throw new DownloadError(`${path} is there already, and is another file`, {
    hint: 'remove it first, or give it another name',
  });
}

/** Bytes of `remotes` that are still to come, those in parts of earlier attempts not counted. */
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
    `${formatBytes(neededBytes)} are to come, but only ${formatBytes(freeBytes)} are free in ${folder}`,
    { hint: 'make room, or choose a smaller model or quantisation' },
  );
}

/** Records a pull beside its first file, in one step: a reader sees the old record or the new one. */
export async function writePullRecord(firstFilePath: string, record: PullRecord): Promise<void> {
  const path = pullRecordPath(firstFilePath);
  const temporaryPath = `${path}.${process.pid}.tmp`;
  await writeFile(temporaryPath, `${JSON.stringify(record, undefined, 2)}\n`);
  await rename(temporaryPath, path);
}

/** Removes a pulled model: its files, parts of them, and the record. Gives back the paths of the files. */
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
