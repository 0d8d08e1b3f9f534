import { setTimeout as sleep } from 'node:timers/promises';
import { DownloadError } from './download-error.ts';
import { PartFile, removePart } from './part-file.ts';
import { originOf, transfer, type RemoteFile, type TransferOptions } from './transfer.ts';

export interface FetchOptions extends TransferOptions {
  /** Attempts in a row that may bring nothing new before the download is given up. */
  readonly maxFailures: number;
  /** Pause before the second attempt; it doubles from one to the next. */
  readonly retryDelayMs: number;
  readonly onRetry?: ((error: DownloadError, delayMs: number) => void) | undefined;
  /** Looks at a whole file that no hash vouches for; gives back what is wrong with it, if anything. */
  readonly inspect: (path: string) => string | undefined;
}

const maxRetryDelayMs = 30_000;

/**
 * Brings `remote` to `targetPath`: resumes what an earlier attempt left in `<targetPath>.part`, tries again
 * while that helps, and gives the file its name when it is whole and verified. Resolves to its hash and size.
 */
export async function fetchFile(
  remote: RemoteFile,
  targetPath: string,
  options: FetchOptions,
): Promise<{ readonly sha256: string; readonly sizeBytes: number }> {
  const partPath = `${targetPath}.part`;
  const part = await PartFile.open(partPath, originOf(remote.url), remote.sha256);
  let isResumed = part.receivedBytes > 0;
  let isFinished = false;
  try {
    for (;;) {
      await transferWithRetries(remote, part, options);
      const sha256 = part.sha256();
      const trouble = await troubleWith(remote, part, partPath, sha256, options);
      if (trouble === undefined) {
        const sizeBytes = part.receivedBytes;
        await part.finish(targetPath);
        isFinished = true;
        return { sha256, sizeBytes };
      }
      await part.restart();
      // What lay here from before may have been the damaged half: once, everything is fetched anew.
      if (!isResumed) throw trouble;
      isResumed = false;
    }
  } catch (error) {
    // A part that is worth nothing is not left behind.
    if (!isFinished) await part.close();
    isFinished = true;
    if (part.receivedBytes === 0) await removePart(partPath);
    throw error;
  }
}

async function transferWithRetries(remote: RemoteFile, part: PartFile, options: FetchOptions): Promise<void> {
  const { signal, maxFailures, retryDelayMs, onRetry } = options;
  for (let failures = 0; ;) {
    const before = part.receivedBytes;
    try {
      await transfer(remote, part, options);
      return;
    } catch (error) {
      if (!(error instanceof DownloadError) || !error.retryable) throw error;
      failures = part.receivedBytes > before ? 1 : failures + 1;
      if (failures >= maxFailures) throw error;
      const delayMs = error.retryAfterMs ?? Math.min(retryDelayMs * 2 ** (failures - 1), maxRetryDelayMs);
      onRetry?.(error, delayMs);
      await sleep(delayMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}

async function troubleWith(
  remote: RemoteFile,
  part: PartFile,
  partPath: string,
  sha256: string,
  options: FetchOptions,
): Promise<DownloadError | undefined> {
  if (remote.sha256 !== undefined) {
    if (sha256 === remote.sha256) return undefined;
    return new DownloadError(`${remote.name} has the sha256 ${sha256}, not ${remote.sha256}`, {
      hint: 'it was damaged on the way, or the server has another file: nothing of it was kept',
    });
  }
  await part.flush();
  const trouble = options.inspect(partPath);
  return trouble === undefined ? undefined : new DownloadError(`${remote.name} is no model: ${trouble}`);
}
