import type OpenAI from 'openai';
import { openClient } from '../../../test/support/server/chat-client.ts';
import {
  startServer,
  type RunningServer,
  type ServerConfig,
} from '../../../test/support/server/start-server.ts';

type ModelEntry = NonNullable<ServerConfig['models']>[number];

export interface GpuServer {
  readonly server: RunningServer;
  readonly client: OpenAI;
}

/** The servers of one check, which end with it. */
export class GpuServers implements AsyncDisposable {
  /** Whether the driver computes on the processor. */
  readonly isSoftware: boolean;
  readonly #env: Readonly<Record<string, string>>;
  readonly #running: RunningServer[] = [];
  #ended: string | undefined;

  constructor(env: Readonly<Record<string, string>>, isSoftware: boolean) {
    this.#env = env;
    this.isSoftware = isSoftware;
  }

  /** How a server ended by itself; undefined: none did. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** A server with the models of these files and no others; `env` on top of that which names the GPU. */
  async serve(
    models: Readonly<Record<string, string | (Omit<ModelEntry, 'id'> & { readonly source: string })>>,
    config: Omit<ServerConfig, 'models'> = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<GpuServer> {
    const entries = Object.entries(models).map(([id, entry]) => ({
      id,
      ...(typeof entry === 'string' ? { source: entry } : entry),
    }));
    const server = await startServer({
      modelsDirs: [],
      config: { demo: false, ...config, models: entries },
      env: { ...this.#env, ...env },
    });
    this.#running.push(server);
    void server.exited.then(
      ({ code, signal }) =>
        (this.#ended = `the server ended with ${signal ?? code}: ${server.stderr().slice(-1500)}`),
    );
    return { server, client: openClient(server) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map((server) => server.stop()));
  }
}
