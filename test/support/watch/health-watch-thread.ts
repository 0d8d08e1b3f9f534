import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const pauseMs = 20;

/** Who answers at an address. */
export interface Answering {
  readonly url: string;
  /** The thread's folder in /proc. */
  readonly thread: string;
}

/** Milliseconds that a thread has waited for a processor so far; 0 where the system does not count them. */
function waitedMs(thread: string): number {
  try {
    return Number(readFileSync(`/proc/${thread}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** The folder of this thread in /proc; one that is not there where there is no /proc. */
function thisThread(): string {
  try {
    return readlinkSync('/proc/thread-self');
  } catch {
    return 'none';
  }
}

/** How long an answer took, without the time in which the machine had no processor for those who took part. */
async function ask({ url, thread }: Answering): Promise<number> {
  const waitedBefore = waitedMs(thread) + waitedMs('thread-self');
  const askedAtMs = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Not with fetch, which would share its connections.
  request(url, { agent: false }, (response) => {
    if (response.statusCode === 200) response.resume().on('end', resolve);
    else reject(new Error(`${url} answered ${response.statusCode}`));
  })
    .on('error', reject)
    .end();
  await promise;
  const waited = waitedMs(thread) + waitedMs('thread-self') - waitedBefore;
  return performance.now() - askedAtMs - waited;
}

async function watch(answering: Answering, until: () => boolean): Promise<number> {
  let longestMs = 0;
  while (!until()) {
    longestMs = Math.max(longestMs, await ask(answering));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return longestMs;
}

/** A server that does nothing else, in a thread of its own: its time to answer tells how busy this machine is. */
async function serveNothing(): Promise<void> {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answering: Answering = { url: `http://127.0.0.1:${port}`, thread: thisThread() };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answering);
}

async function compare(watched: Answering): Promise<void> {
  const idleServer = new Worker(new URL(import.meta.url), { workerData: null });
  const [idle] = (await once(idleServer, 'message')) as [Answering];
  let isOver = false;
  parentPort?.once('message', () => (isOver = true));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage('watching');
  const [watchedMs = 0, idleMs = 0] = await Promise.all(
    [watched, idle].map((answering) => watch(answering, () => isOver)),
  );
  await idleServer.terminate();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(watchedMs - idleMs);
}

if (!isMainThread) await (workerData === null ? serveNothing() : compare(workerData as Answering));
