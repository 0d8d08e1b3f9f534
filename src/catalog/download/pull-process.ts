import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DownloadError } from './download-error.ts';
import type { PullMessage, PullRequest } from './pull-child.ts';
import type { PullProgress } from './progress-reporter.ts';
import type { PulledModel } from './pull.ts';

/** How much of the process's last output is kept for the error. */
const diagnosticChars = 1000;

/**
 * The result of `pullModel`, run in a process of its own, because hashing and writing gigabytes in this one would make
 * the running answers stutter. Rejects with DownloadError, or with the signal's reason on abort.
 */
export function pullInProcess(
  request: PullRequest,
  signal: AbortSignal,
  onProgress: (progress: PullProgress) => void,
): Promise<PulledModel> {
  signal.throwIfAborted();
  const path = fileURLToPath(new URL(`./pull-child${extname(import.meta.url)}`, import.meta.url));
  const child = fork(path, [], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  return new Promise((resolve, reject) => {
    let end: Exclude<PullMessage, { type: 'progress' }> | undefined;
    let diagnostics = '';
    const stop = (): void => void child.kill('SIGTERM');
    signal.addEventListener('abort', stop, { once: true });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      diagnostics = (diagnostics + text).slice(-diagnosticChars);
    });
    child.on('message', (received) => {
      const message = received as PullMessage;
      if (message.type === 'progress') onProgress(message.progress);
      else end = message;
    });
    child.on('error', (cause) =>
      reject(new DownloadError(`the download could not start: ${cause.message}`, { cause })),
    );
    child.on('close', (code, exitSignal) => {
      signal.removeEventListener('abort', stop);
      if (end?.type === 'pulled') resolve(end.model);
      else if (signal.aborted)
        reject(
          signal.reason instanceof Error ? signal.reason : new Error('aborted', { cause: signal.reason }),
        );
      else if (end !== undefined) reject(new DownloadError(end.message, { hint: end.hint }));
      else {
        const cause = new Error(diagnostics.trim());
        reject(new DownloadError(`the download ended with ${exitSignal ?? `exit code ${code}`}`, { cause }));
      }
    });
    // Where the process could not start, its error event tells: the error of sending is ignored.
    child.send(request, () => undefined);
  });
}
