import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { Accounts } from '../../../src/accounts/accounts.ts';
import { Keys } from '../../../src/accounts/keys.ts';
import { PlanBook } from '../../../src/accounts/plans.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { StoredLimiter } from '../../../src/limits/limiter.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { oneThread } from './chat-fixture.ts';
import { hearthCli } from './hearth-cli.ts';
import { configFileName, startServer, type RunningServer, type ServerConfig } from './start-server.ts';
import { createModelsDir, tinyModel } from '../models/tiny-model.ts';

export interface LimitsFixture {
  readonly server: RunningServer;
  /** A key of a new account of this name on `plan`. */
  readonly createKey: (account: string, plan: string) => TestKey;
  /** Uses up allowance without asking the server or any model, as a request that ended at this moment. */
  readonly spend: (key: TestKey, use: { promptTokens?: number; completionTokens?: number }) => void;
  /** The access log's lines about requests of this key so far. */
  readonly requestsOf: (key: TestKey) => readonly Record<string, unknown>[];
  /** The line of `hearth usage` for this account; undefined: none. */
  readonly usageOf: (account: string) => Promise<UsageLine | undefined>;
}

export interface TestKey {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly secret: string;
}

export interface UsageLine {
  readonly requests: number;
  readonly refunded: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

const modelId = 'tiny';

/** A server with the tiny model, `further` ones and these plans, there for all tests of the calling file. */
export function useLimitedServer(
  plans: NonNullable<ServerConfig['plans']>,
  settings: Readonly<Record<string, unknown>> = {},
  further: () => Promise<Readonly<Record<string, string>>> = async () => ({}),
): () => LimitsFixture {
  const stack = new AsyncDisposableStack();
  let fixture: LimitsFixture | undefined;
  beforeAll(async () => {
    const files = { [modelId]: await tinyModel(), ...(await further()) };
    const [dataDir, modelsDir] = [
      await mkdtemp(join(tmpdir(), 'hearth-data-')),
      await createModelsDir(files),
    ];
    stack.defer(async () => {
      for (const folder of [dataDir, modelsDir]) await rm(folder, { recursive: true, force: true });
    });
    const models = Object.keys(files).map((id) => ({ id, ...oneThread, ...settings }));
    const config = { plans, models };
    const server = await startServer({ modelsDirs: [modelsDir], dataDir, config });
    stack.defer(async () => {
      await server.stop();
    });
    fixture = { server, ...toolsFor(server) };
  });
  afterAll(() => stack.disposeAsync());
  return () => {
    if (fixture === undefined) throw new Error('the server is there only while tests run');
    return fixture;
  };
}

function toolsFor(server: RunningServer): Omit<LimitsFixture, 'server'> {
  const { dataDir } = server;
  const { databaseFile, plans } = loadConfig({
    flags: { dataDir, config: join(dataDir, configFileName) },
    env: {},
    cwd: dataDir,
  });
  const now = Date.now;
  const planBook = new PlanBook(plans, now());
  /** As another process would, beside the server. */
  const withStore = <Result>(work: (store: Store) => Result): Result => {
    const store = openStore(databaseFile);
    try {
      return work(store);
    } finally {
      store.close();
    }
  };
  return {
    createKey: (account, plan) =>
      withStore((store) => {
        const { id: accountId } = new Accounts({ store, plans: planBook, now }).create({
          name: account,
          plan,
        });
        const { key, secret } = new Keys({ store, now }).create({ accountId });
        return { ...key, secret };
      }),
    spend: ({ id, accountId, accountName }, { promptTokens = 0, completionTokens = 0 }) =>
      withStore((store) => {
        const planName = store.accounts.byId(accountId)?.plan ?? '';
        const admission = new StoredLimiter({ store, plans: planBook, now }).admit({
          principal: { keyId: id, accountId, accountName, kind: 'user', allowedModels: null, planName },
          modelId,
          measures: ['requests', 'inputTokens', 'outputTokens'],
          route: '/spent-by-a-test',
        });
        admission.settle({
          status: 200,
          promptTokens,
          cachedTokens: 0,
          completionTokens,
          audioSeconds: 0,
          durationMs: 0,
          timeToFirstTokenMs: null,
          refundRequest: false,
        });
      }),
    requestsOf: ({ id }) =>
      server
        .stderr()
        .split('\n')
        .filter((line) => line.includes(`"keyId":"${id}"`))
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    async usageOf(account) {
      return (await hearthCli<UsageLine[]>(server, 'usage', '--account', account))[0];
    },
  };
}
