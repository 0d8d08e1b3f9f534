import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { RunningServer } from '../server/start-server.ts';
import { PageBench, pagePatienceMs } from './page.ts';

/** Gives `take` a browser with the page of a server for the tests of a block, after which nothing has complained. */
export function useBench(server: () => RunningServer, take: (bench: PageBench) => void): void {
  let bench: PageBench;
  beforeAll(async () => {
    bench = await PageBench.open(server());
    take(bench);
  }, pagePatienceMs);
  afterEach(() => bench.closeTabs());
  afterAll(async () => {
    expect(bench.complaints).toEqual([]);
    await bench[Symbol.asyncDispose]();
  });
}
