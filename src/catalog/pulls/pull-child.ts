import os from 'node:os';
import { messageOf } from '../../words/describe-error.ts';
import { DownloadError } from '../download/download-error.ts';
import type { PullProgress } from '../download/progress-reporter.ts';
import { pullModel, type PulledModel, type PullOptions } from '../download/pull.ts';

/** The parent's message to the process: the files to download. */
export interface PullRequest extends Pick<PullOptions, 'folder' | 'sha256' | 'id' | 'naming' | 'publicOnly'> {
  readonly source: string;
}

/** The process's messages: progress, and at the end `pulled` or `failed`. */
export type PullMessage =
  | { readonly type: 'progress'; readonly progress: PullProgress }
  | { readonly type: 'pulled'; readonly model: PulledModel }
  | { readonly type: 'failed'; readonly message: string; readonly hint: string | undefined };

const progressEveryMs = 250;
const lowPriority = 10;

/** The process runs one pull. It begins with the first message and stops when the parent is gone. */
process.once('message', (request) => {
  // Running models get the processor first: hashing gigabytes can wait.
  os.setPriority(lowPriority);
  void pull(request as PullRequest);
});

async function pull({ source, ...options }: PullRequest): Promise<void> {
  const controller = new AbortController();
  process.once('disconnect', () => controller.abort());
  // Ctrl-C in a terminal reaches the parent as well, and the parent decides whether the pull ends.
  process.on('SIGINT', () => undefined);
  process.once('SIGTERM', () => controller.abort());
  let saidAtMs = Number.NEGATIVE_INFINITY;
  const onProgress = (progress: PullProgress): void => {
    const isLast = progress.receivedBytes === progress.totalBytes;
    const nowMs = performance.now();
    if (!isLast && progress.note === undefined && nowMs - saidAtMs < progressEveryMs) return;
    saidAtMs = nowMs;
    send({ type: 'progress', progress });
  };
  try {
    const model = await pullModel(source, { ...options, signal: controller.signal, onProgress });
    send({ type: 'pulled', model });
  } catch (error) {
    send({
      type: 'failed',
      message: messageOf(error),
      hint: error instanceof DownloadError ? error.hint : undefined,
    });
  }
  if (process.connected) process.disconnect();
}

function send(message: PullMessage): void {
  if (process.connected) process.send?.(message);
}
