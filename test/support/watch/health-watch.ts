import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RunningServer } from '../server/start-server.ts';
import type { Answering } from './health-watch-thread.ts';

interface HealthWatch<Result> {
  /** The value that `work` resolved with. */
  readonly result: Result;
  /**
   * How much longer the longest answer of /healthz took than that of a server which does nothing else, in milliseconds.
   * The time for which the thread of a server, or the one that asks, waited for a processor counts for neither: however
   * busy the machine is, the time is the one in which the server was at work or waited for a disk.
   */
  readonly delayMs: number;
}

/**
 * Asks /healthz all the time, as somebody would who has nothing to do with `work`, and from a thread of its own, so
 * that the test's own work delays nothing.
 */
export async function watchHealth<Result>(
  { baseUrl, pid }: Pick<RunningServer, 'baseUrl' | 'pid'>,
  work: () => Promise<Result>,
): Promise<HealthWatch<Result>> {
  const file = new URL('health-watch-thread.ts', import.meta.url);
  const url = new URL('/healthz', baseUrl).href;
  const watched: Answering = { url, thread: `${pid}/task/${pid}` };
  const thread = new Worker(file, { workerData: watched });
  await once(thread, 'message');
  try {
    const failed = once(thread, 'error').then(([error]: unknown[]) => Promise.reject(error as Error));
    const result = await Promise.race([work(), failed]);
    const told = once(thread, 'message') as Promise<[number]>;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage('stop');
    const [delayMs] = await told;
    return { result, delayMs };
  } finally {
    await thread.terminate();
  }
}
