import { setTimeout as sleep } from 'node:timers/promises';
import { DownloadError } from './download-error.ts';
import { PartFile, removePart } from './part-file.ts';
import { originOf, transfer, type RemoteFile, type TransferOptions } from './transfer.ts';

export interface FetchOptions extends TransferOptions {
  /** The download is given up after this many attempts in a row that brought no new bytes. */
  readonly maxFailures: number;
  /** Pause before the second attempt; it doubles from one to the next. */
  readonly retryDelayMs: number;
  readonly onRetry?: ((error: DownloadError, delayMs: number) => void) | undefined;
  /** What is wrong with a complete file whose hash is not known; undefined when nothing is. */
  readonly inspect: (path: string) => string | undefined;
}

const maxRetryDelayMs = 30_000;

/**
 * Downloads `remote` to `targetPath` and resolves to its hash and size. It resumes the `<targetPath>.part` of an
 * earlier attempt and retries after failures that may pass. The file gets its name only when it is complete and verified.
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
      // The part of an earlier attempt may have been damaged: the whole file is downloaded once more.
      if (!isResumed) throw trouble;
      isResumed = false;
    }
  } catch (error) {
    // An empty part is not left behind.
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
