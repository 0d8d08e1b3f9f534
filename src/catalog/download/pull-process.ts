import { fork } from 'node:child_process';
import { programBeside, watchChild } from '../../engine/processes/watch-child.ts';
import { DownloadError } from './download-error.ts';
import type { PullMessage, PullRequest } from './pull-child.ts';
import type { PullProgress } from './progress-reporter.ts';
import type { PulledModel } from './pull.ts';

/**
 * The result of `pullModel`, run in a process of its own, because hashing and writing gigabytes in this one would make
 * the running answers stutter. Rejects with DownloadError, or with the signal's reason on abort.
 */
export async function pullInProcess(
  request: PullRequest,
  signal: AbortSignal,
  onProgress: (progress: PullProgress) => void,
): Promise<PulledModel> {
  signal.throwIfAborted();
  const path = programBeside(import.meta.url, 'pull-child');
  const child = fork(path, [], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let last: Exclude<PullMessage, { type: 'progress' }> | undefined;
  child.on('message', (received) => {
    const message = received as PullMessage;
    if (message.type === 'progress') onProgress(message.progress);
    else last = message;
  });
  // Where the process could not start, its error event tells: the error of sending is ignored.
  child.send(request, () => undefined);
  const end = await watchChild(child, { signal, stopSignal: 'SIGTERM' }).catch((cause: Error) => {
    throw new DownloadError(`the download could not start: ${cause.message}`, { cause });
  });
  if (last?.type === 'pulled') return last.model;
  signal.throwIfAborted();
  if (last !== undefined) throw new DownloadError(last.message, { hint: last.hint });
  const cause = new Error(end.diagnostics.trim());
  const how = end.exitSignal ?? `exit code ${end.exitCode}`;
  throw new DownloadError(`the download ended with ${how}`, { cause });
}
