import { rmSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { createModelsDir, tinyModel } from '../models/tiny-model.ts';
import { startServer, type RunningServer } from '../server/start-server.ts';
import { pagePatienceMs, type PageBench } from './page.ts';
import { useBench } from './use-bench.ts';

/** A desk, a tablet, and a phone in both positions. */
export const screens = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
];

/** An account, a key, a plan or an invitation, as the admin API has made it. */
export interface Made {
  readonly id: string;
  readonly value: string;
  readonly redacted_value: string;
  /** Of an invitation: where it leads. */
  readonly path: string;
}

/**
 * The page of a server of its own with one tiny model, for the tests of a file; `make` asks the admin API for something.
 * `more`: the files of other models, by their ids.
 */
export function useTinyPage(more?: () => Promise<Readonly<Record<string, string>>>) {
  let modelsDir: string;
  let server: RunningServer;
  let bench: PageBench;
  beforeAll(async () => {
    modelsDir = await createModelsDir({ tiny: await tinyModel(), ...(await more?.()) });
    server = await startServer({
      modelsDirs: [modelsDir],
      config: { demo: false, models: [{ id: 'tiny', threads: 1 }] },
    });
  }, pagePatienceMs);
  // Hooks after all tests run in reverse: the browser is gone before its server.
  afterAll(async () => {
    await server.stop();
    rmSync(modelsDir, { recursive: true });
  });
  useBench(
    () => server,
    (opened) => (bench = opened),
  );
  return {
    bench: () => bench,
    server: () => server,
    make: (what: string, body: object) => bench.askAdmin<Made>('POST', what, body),
  };
}
