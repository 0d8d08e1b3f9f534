import type OpenAI from 'openai';
import { afterAll, beforeAll } from 'vitest';
import { openChatModelsDir } from '../models/chat-models.ts';
import { openClient } from './chat-client.ts';
import { startServer } from './start-server.ts';
import type { RunningServer } from './start-server.ts';

export interface ChatFixture {
  readonly server: RunningServer;
  readonly client: OpenAI;
}

export interface ChatFixtureOptions {
  /** Further model files by id, made before the server starts. */
  readonly models?: () => Promise<Readonly<Record<string, string>>>;
  /** Further environment of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of models by id, as the configuration file has them. */
  readonly settings?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * Tiny models gain nothing from threads, and where other processes keep the processors busy, two threads that wait
 * for each other at every layer are a hundred times slower than one.
 */
export const oneThread = { threads: 1 } as const;

/** A server with the chat models and a client, there for all tests of the calling file and gone after them. */
export function useChatServer(options: ChatFixtureOptions = {}): () => ChatFixture {
  const stack = new AsyncDisposableStack();
  let fixture: ChatFixture | undefined;
  beforeAll(async () => {
    const modelsDir = stack.use(await openChatModelsDir(await options.models?.()));
    const ids = new Set([...modelsDir.ids, ...Object.keys(options.settings ?? {})]);
    const models = Array.from(ids, (id) => ({ id, ...oneThread, ...options.settings?.[id] }));
    const server = await startServer({
      modelsDirs: [modelsDir.path],
      config: { models },
      env: options.env ?? {},
    });
    stack.defer(async () => {
      await server.stop();
    });
    fixture = { server, client: openClient(server) };
  });
  afterAll(() => stack.disposeAsync());
  return () => {
    if (fixture === undefined) throw new Error('the server is there only while tests run');
    return fixture;
  };
}
