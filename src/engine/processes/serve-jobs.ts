import { Worker } from 'node:worker_threads';
import { standBack } from './stand-back.ts';
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
