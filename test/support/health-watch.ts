import { request } from 'node:http';
import type { RunningServer } from './start-server.ts';

const pauseMs = 20;

export interface HealthWatch extends AsyncDisposable {
  /** The longest that an answer took so far, one that has not come yet included. */
  readonly longestMs: number;
}

/** Asks /healthz all the time over a connection of its own, as somebody would who has nothing to do with the rest. */
export function watchHealth(server: Pick<RunningServer, 'baseUrl'>): HealthWatch {
  const url = new URL('/healthz', server.baseUrl);
  let isOver = false;
  let longestMs = 0;
  let askedAtMs: number | undefined;
  const run = async (): Promise<void> => {
    while (!isOver) {
      askedAtMs = performance.now();
      await ask(url);
      longestMs = Math.max(longestMs, performance.now() - askedAtMs);
      askedAtMs = undefined;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  const running = run();
  return {
    get longestMs() {
      return Math.max(longestMs, askedAtMs === undefined ? 0 : performance.now() - askedAtMs);
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      await running;
    },
  };
}

/** Not with fetch, whose connections the test itself may use up. */
function ask(url: URL): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  request(url, { agent: false }, (response) => {
    response.resume().on('end', resolve);
  })
    .on('error', reject)
    .end();
  return promise;
}
