import { rm } from 'node:fs/promises';
import type OpenAI from 'openai';
import { afterAll, beforeAll } from 'vitest';
import { openClient } from '../server/chat-client.ts';
import { oneThread } from '../server/chat-fixture.ts';
import { startServer, type RunningServer } from '../server/start-server.ts';
import { createModelsDir } from '../models/tiny-model.ts';

/** The variable that holds the key of the hearth behind. */
export const upstreamKeyVariable = 'UPSTREAM_KEY';

/** An entry under `models:` for a model that the servers at `urls` run, under the id or a name that it has there. */
export function upstreamModel(
  id: string,
  urls: string | readonly string[],
  changes: object = {},
  keys: object = {},
) {
  return { id, upstream: { url: urls, apiKey: { env: upstreamKeyVariable }, ...changes }, ...keys };
}

/** A hearth with `models` in files, each with the further settings of its id. */
export async function startBehind(
  models: Readonly<Record<string, string>>,
  settings: Readonly<Record<string, object>> = {},
): Promise<RunningServer> {
  const modelsDir = await createModelsDir(models);
  const server = await startServer({
    modelsDirs: [modelsDir],
    apiKey: `hk-behind-${'0123456789'.repeat(4)}`,
    config: { demo: false, models: Object.keys(models).map((id) => ({ id, ...oneThread, ...settings[id] })) },
  });
  void server.exited.then(() => rm(modelsDir, { recursive: true, force: true }));
  return server;
}

/** A hearth without files of its own, in front of other servers. */
export async function startInFront(
  models: readonly { readonly id: string; readonly [key: string]: unknown }[],
  behind?: Pick<RunningServer, 'apiKey'>,
): Promise<RunningServer> {
  return await startServer({
    modelsDirs: [],
    config: { demo: false, models },
    env: { [upstreamKeyVariable]: behind?.apiKey ?? 'hk-some-key-0123456789012345678901234567890' },
  });
}

export interface UpstreamFixture {
  readonly behind: RunningServer;
  readonly front: RunningServer;
  readonly client: OpenAI;
}

/** One hearth in front of another, there for all tests of the calling file. */
export function useUpstream(options: {
  readonly models: () => Promise<Readonly<Record<string, string>>>;
  readonly settings?: Readonly<Record<string, object>>;
  /** Entries of the hearth in front, given the base address of the one behind. */
  readonly inFront: (url: string) => readonly { readonly id: string; readonly [key: string]: unknown }[];
}): () => UpstreamFixture {
  const stack = new AsyncDisposableStack();
  let fixture: UpstreamFixture | undefined;
  beforeAll(async () => {
    const behind = await startBehind(await options.models(), options.settings);
    stack.defer(async () => void (await behind.stop()));
    const front = await startInFront(options.inFront(behind.baseUrl), behind);
    stack.defer(async () => void (await front.stop()));
    fixture = { behind, front, client: openClient(front) };
  });
  afterAll(() => stack.disposeAsync());
  return () => {
    if (fixture === undefined) throw new Error('the servers are there only while tests run');
    return fixture;
  };
}
