import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RunningServer } from '../server/start-server.ts';

export interface HealthTimes {
  /** The longest that an answer of /healthz took. */
  readonly healthMs: number;
  /** The longest that a server took which has nothing else to do, asked at the same time on the same machine. */
  readonly idleMs: number;
}

/**
 * Asks /healthz all the time, as somebody would who has nothing to do with what `work` does, and from a thread of its
 * own, so that what the test does beside it delays nothing.
 */
export async function watchHealth(
  server: Pick<RunningServer, 'baseUrl'>,
  work: () => Promise<unknown>,
): Promise<HealthTimes> {
  const file = new URL('health-watch-thread.ts', import.meta.url);
  const thread = new Worker(file, { workerData: server.baseUrl });
  await once(thread, 'message');
  try {
    await work();
  } finally {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    thread.postMessage('stop');
  }
  const [times] = (await once(thread, 'message')) as [HealthTimes];
  return times;
}

/** How much longer the longest wait for /healthz was than that for an idle server, in milliseconds. */
export function delayOf({ healthMs, idleMs }: HealthTimes): number {
  return healthMs - idleMs;
}
