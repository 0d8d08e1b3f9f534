import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { PulledFile, PullRecord } from '../pulled-files.ts';
import { DownloadError } from './download-error.ts';
import { hashFile } from './hash-file.ts';
import type { RemoteFile } from './remote-file.ts';
import { originOf } from './transfer.ts';

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

async function sizeOnDisk(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}
