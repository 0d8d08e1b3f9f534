import { rm } from 'node:fs/promises';
import { afterAll, beforeAll } from 'vitest';
import { oneThread } from './chat-fixture.ts';
import { hearthCli } from './hearth-cli.ts';
import { startServer, type RunningServer } from './start-server.ts';
import { createModelsDir } from './tiny-model.ts';

interface IsolatedStatus {
  readonly id: string;
  readonly state: string;
  readonly busy: number;
  readonly error: string | null;
  readonly pid: number | null;
}

export interface IsolatedFixture {
  readonly server: RunningServer;
  /** What the admin API answers about models. */
  admin(path: string, method?: string): Promise<unknown>;
  statusOf(id: string): Promise<IsolatedStatus>;
  /** The process of a loaded model. */
  pidOf(id: string): Promise<number>;
  /** The processes of all loaded models. */
  pids(): Promise<readonly number[]>;
}

/** A server that runs each model in a process of its own, there for all tests of the calling file. */
export function useIsolated(options: {
  readonly models: () => Promise<Readonly<Record<string, string>>>;
  /** Settings of models by id, as the configuration file has them. */
  readonly settings?: Readonly<Record<string, object>>;
}): () => IsolatedFixture {
  const stack = new AsyncDisposableStack();
  let fixture: IsolatedFixture | undefined;
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
    fixture = await openFixture(server);
  });
  afterAll(() => stack.disposeAsync());
  return () => {
    if (fixture === undefined) throw new Error('the server is there only while tests run');
    return fixture;
  };
}

async function openFixture(server: RunningServer): Promise<IsolatedFixture> {
  const keyCommand = ['keys', 'create', '--account', 'local', '--name', 'admin', '--admin'];
  const { secret } = await hearthCli<{ secret: string }>(server, ...keyCommand);
  const admin = async (path: string, method = 'GET'): Promise<unknown> => {
    const url = new URL(`/admin/v1/models${path}`, server.baseUrl);
    const response = await fetch(url, { method, headers: { authorization: `Bearer ${secret}` } });
    return await response.json();
  };
  const statuses = async () => ((await admin('')) as { data: readonly IsolatedStatus[] }).data;
  const statusOf = async (id: string) => {
    const status = (await statuses()).find((one) => one.id === id);
    if (status === undefined) throw new Error(`no model ${id}`);
    return status;
  };
  return {
    server,
    admin,
    statusOf,
    async pidOf(id) {
      const { pid } = await statusOf(id);
      if (pid === null) throw new Error(`${id} is not loaded`);
      return pid;
    },
    pids: async () => (await statuses()).flatMap(({ pid }) => pid ?? []),
  };
}
