import { Agent, get } from 'node:http';
import type { RunningServer } from './start-server.ts';

const everyMs = 50;

/** Asks for `/healthz` every 50 ms, on a connection that is kept, for as long as `work` takes; the longest wait, ms. */
export async function longestHealthWaitMs(
  server: Pick<RunningServer, 'baseUrl'>,
  work: () => Promise<unknown>,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const url = new URL('/healthz', server.baseUrl);
  const over = new AbortController();
  let longestMs = 0;
  const watching = (async () => {
    while (!over.signal.aborted) {
      const startedAtMs = performance.now();
      await ask(url, agent);
      longestMs = Math.max(longestMs, performance.now() - startedAtMs);
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  })();
  try {
    await work();
  } finally {
    over.abort();
    await watching;
    agent.destroy();
  }
  return longestMs;
}

function ask(url: URL, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().once('end', resolve).once('error', reject)).once(
      'error',
      reject,
    );
  });
}
