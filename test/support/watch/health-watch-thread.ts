import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const pauseMs = 20;

/** Not with fetch, which would share its connections. */
async function ask(url: URL): Promise<number> {
  const askedAtMs = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  request(url, { agent: false }, (response) => {
    response.resume().on('end', resolve);
  })
    .on('error', reject)
    .end();
  await promise;
  return performance.now() - askedAtMs;
}

async function watch(url: URL, until: () => boolean): Promise<number> {
  let longestMs = 0;
  while (!until()) {
    longestMs = Math.max(longestMs, await ask(url));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  return longestMs;
}

/** A server that does nothing else, in a thread of its own: what it takes to answer is what this machine is busy with. */
async function serveNothing(): Promise<void> {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage((server.address() as AddressInfo).port);
}

async function compare(baseUrl: string): Promise<void> {
  const idle = new Worker(new URL(import.meta.url), { workerData: undefined });
  const [port] = (await once(idle, 'message')) as [number];
  let isOver = false;
  parentPort?.once('message', () => (isOver = true));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage('watching');
  const [healthMs = 0, idleMs = 0] = await Promise.all(
    [new URL('/healthz', baseUrl), new URL(`http://127.0.0.1:${port}`)].map((url) =>
      watch(url, () => isOver),
    ),
  );
  await idle.terminate();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ healthMs, idleMs });
}

if (!isMainThread) await (typeof workerData === 'string' ? compare(workerData) : serveNothing());
