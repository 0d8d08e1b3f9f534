import { statfs } from 'node:fs/promises';
import { formatBytes } from '../../format-bytes.ts';
import { DownloadError } from './download-error.ts';

/** Left free for everything else on the disk, the database first. */
const reserveBytes = 256 * 1024 * 1024;

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
