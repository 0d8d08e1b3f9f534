import { rmSync } from 'node:fs';
import type OpenAI from 'openai';
import { afterAll, beforeAll } from 'vitest';
import { atEnd } from '../at-end.ts';
import { openChatModelsDir, type ModelsDir } from '../models/chat-models.ts';
import { openToolModel } from '../models/tool-models.ts';
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
  /** Servers of tools by label, as the configuration file has them. */
  readonly mcp?: Readonly<Record<string, object>>;
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
    fixture = await startChatServer(modelsDir, options);
    stack.defer(async () => void (await fixture?.server.stop()));
  });
  afterAll(() => stack.disposeAsync());
  return () => {
    if (fixture === undefined) throw new Error('the server is there only while tests run');
    return fixture;
  };
}

let shared: Promise<ChatFixture> | undefined;

/**
 * A server with the chat models, the one that takes tools and a client, which all files of this worker share: for tests
 * that ask for answers, and neither change the server nor count its work.
 */
export function useSharedServer(): () => ChatFixture {
  let fixture: ChatFixture | undefined;
  beforeAll(async () => {
    fixture = await (shared ??= startSharedServer());
  });
  return () => {
    if (fixture === undefined) throw new Error('the server is there only while tests run');
    return fixture;
  };
}

async function startSharedServer(): Promise<ChatFixture> {
  const modelsDir = await openChatModelsDir(await openToolModel());
  atEnd(() => rmSync(modelsDir.path, { recursive: true, force: true }));
  return await startChatServer(modelsDir);
}

/** A server with the models of that folder, and a client. */
export async function startChatServer(
  { ids, path }: ModelsDir,
  { env = {}, settings = {}, mcp }: ChatFixtureOptions = {},
): Promise<ChatFixture> {
  const models = Array.from(new Set([...ids, ...Object.keys(settings)]), (id) => ({
    id,
    ...(settings[id]?.['upstream'] === undefined && oneThread),
    ...settings[id],
  }));
  const server = await startServer({ modelsDirs: [path], config: { models, ...(mcp && { mcp }) }, env });
  return { server, client: openClient(server) };
}
