import { rm } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';
import { oneThread } from './chat-fixture.ts';
import { openIsolated, type IsolatedServer } from './isolated-server.ts';
import { startServer } from './start-server.ts';
import { createModelsDir } from '../models/tiny-model.ts';

/** A server that runs each model in a process of its own, there for all tests of the calling file. */
export function useIsolated(options: {
  readonly models: () => Promise<Readonly<Record<string, string>>>;
  /** Settings of models by id, as the configuration file has them. */
  readonly settings?: Readonly<Record<string, object>>;
}): () => IsolatedServer {
  const stack = new AsyncDisposableStack();
  let fixture: IsolatedServer | undefined;
  beforeAll(async () => {
    const files = await options.models();
    const modelsDir = await createModelsDir(files);
    stack.defer(() => rm(modelsDir, { recursive: true, force: true }));
    const models = Object.keys(files).map((id) => ({ id, ...oneThread, ...options.settings?.[id] }));
    const server = await startServer({
      modelsDirs: [modelsDir],
      config: { demo: false, isolation: 'process', models },
    });
    stack.defer(async () => void (await server.stop()));
    fixture = await openIsolated(server);
  });
  afterAll(() => stack.disposeAsync());
  return () => {
    if (fixture === undefined) throw new Error('the server is there only while tests run');
    return fixture;
  };
}
