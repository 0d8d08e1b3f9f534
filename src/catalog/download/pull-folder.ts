import { open, readFile, rm, stat, statfs, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { PulledFile, PullRecord } from '../pulls/pulled-files.ts';
import { errorCodeOf } from '../../words/describe-error.ts';
import { DownloadError } from './download-error.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { hashFile, partPathsOf } from './part-file.ts';
import { originOf, type RemoteFile } from './fetch-file.ts';

/** Space that a pull leaves free on the disk, for the database above all. */
const reserveBytes = 256 * 1024 * 1024;

const pollMs = 300;
const heartbeatMs = 15_000;
/** A lock file that was not touched for this long has lost its holder, which touches it every `heartbeatMs`. */
const staleAfterMs = 90_000;
const holderSchema = z.object({ pid: z.number(), host: z.string() });

/** The file in `folder` that is `remote` already; undefined: it must be downloaded. Throws where another is there. */
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

/** Bytes of `remotes` that must still be downloaded; the bytes that earlier attempts left in parts are not counted. */
export async function missingBytesOf(
  folder: string,
  remotes: readonly RemoteFile[],
  present: readonly (PulledFile | undefined)[],
): Promise<number> {
  let missingBytes = 0;
  for (const [index, remote] of remotes.entries()) {
    if (present[index] !== undefined) continue;
    const [part] = partPathsOf(join(folder, remote.name));
    const partBytes = (await sizeOnDisk(part)) ?? 0;
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

async function sizeOnDisk(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}

/** Resolves to the function that releases the lock file at `path`. One of a process that is gone is taken over. */
export async function acquireFileLock(
  path: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<() => Promise<void>> {
  let waited = false;
  while (!(await tryCreate(path))) {
    signal.throwIfAborted();
    if (await isStale(path)) {
      await rm(path, { force: true });
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await sleep(pollMs, undefined, { signal });
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    // It fails when the file was removed by hand; then there is nothing to keep fresh.
    utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    await rm(path, { force: true });
  };
}

async function tryCreate(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx');
    await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }));
    await handle.close();
    return true;
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > staleAfterMs) return true;
    const { pid, host } = holderSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    return host === hostname() && !isAlive(pid);
  } catch {
    // The file is gone, or its holder has not written to it yet: the next look tells.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return errorCodeOf(error) === 'EPERM';
  }
}
