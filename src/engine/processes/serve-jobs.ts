import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { ProcessMessage } from './pool-process.ts';

/** Ends this process when its parent is gone, even in the middle of an endless job. */
const watchman = `
const { parentPid } = require('node:worker_threads').workerData;
setInterval(() => process.ppid === parentPid || process.kill(process.pid, 'SIGKILL'), 1000);
`;
const watchmanLimits = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 };

/**
 * Makes this process one of a ProcessPool. The result of `doJob` goes back to the pool. `doJob` may report progress; it
 * must not throw.
 */
export function serveJobs(doJob: (job: unknown, tellProgress: (progress: unknown) => void) => unknown): void {
  const send = (message: ProcessMessage): void => void process.send?.(message);
  standBack(['SIGINT', 'SIGHUP', 'SIGTERM']);
  new Worker(watchman, {
    eval: true,
    workerData: { parentPid: process.ppid },
    resourceLimits: watchmanLimits,
  }).unref();
  process.on('message', ({ job }: { readonly job: unknown }) => {
    const result = doJob(job, (progress) => send({ kind: 'progress', progress }));
    send({ kind: 'done', result });
  });
  send({ kind: 'ready' });
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
