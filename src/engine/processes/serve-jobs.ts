import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { ProcessMessage } from './pool-process.ts';

const watchman = `
const { parentPid } = require('node:worker_threads').workerData;
setInterval(() => process.ppid === parentPid || process.kill(process.pid, 'SIGKILL'), 1000);
`;
const watchmanLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/**
 * Makes this process one of a ProcessPool. The result of `doJob`, or of its promise, goes back to the pool. `doJob` may
 * report progress; it must neither throw nor reject.
 */
export function serveJobs(doJob: (job: unknown, tellProgress: (progress: unknown) => void) => unknown): void {
  const send = (message: ProcessMessage): void => void process.send?.(message);
  standBack(['SIGINT', 'SIGHUP', 'SIGTERM']);
  watchParent();
  const serve = async (job: unknown) => {
    const result = await doJob(job, (progress) => send({ kind: 'progress', progress }));
    send({ kind: 'done', result });
  };
  process.on('message', ({ job }: { readonly job: unknown }) => void serve(job));
  send({ kind: 'ready' });
}

/** Ends this process when its parent is gone, even in the middle of an endless job. */
export function watchParent(): void {
  new Worker(watchman, {
    eval: true,
    workerData: { parentPid: process.ppid },
    resourceLimits: watchmanLimits,
  }).unref();
}

/**
 * Makes this process one that serves its parent: it ends with the parent, and leaves `ignored` signals to it, which a
 * terminal or service manager sends to both. When memory runs short the system ends this process rather than the
 * server. It writes no core dump.
 */
export function standBack(ignored: readonly NodeJS.Signals[]): void {
  process.on('disconnect', () => process.exit(0));
  for (const signal of ignored) process.on(signal, () => undefined);
  for (const [file, value] of [
    ['oom_score_adj', '1000'],
    ['coredump_filter', '0'],
  ] as const) {
    try {
      writeFileSync(`/proc/self/${file}`, value);
    } catch {
      // Not Linux, or not allowed.
    }
  }
}
