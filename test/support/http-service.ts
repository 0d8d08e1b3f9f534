import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { createApp } from '../../src/api/app.ts';
import type { ApiSettings, AppDeps, Health } from '../../src/api/env.ts';
import { createHttpServer } from '../../src/api/http-server.ts';
import type { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { FakeEngine } from './fake-engine.ts';
import { FakeLimiter, fakeAuthenticator, fakeCatalog, fakeModel, noAdministration } from './fake-services.ts';

export const userKey = 'hk-user-0123456789abcdefghijklmnopqrstuvwxyz12';
export const limitedKey = 'hk-ltd-0123456789abcdefghijklmnopqrstuvwxyz123';
export const adminKey = 'hk-admin-0123456789abcdefghijklmnopqrstuvwxyz1234567';

export class FakeHealth implements Health {
  isDraining = false;
  error: AppError | undefined;

  unready(): AppError | undefined {
    return this.error;
  }

  draining(): boolean {
    return this.isDraining;
  }
}

/** The app with everything behind it faked, for calls in process. */
export function buildApp(settings: Partial<ApiSettings> = {}, changes: Partial<AppDeps> = {}) {
  const engine = new FakeEngine();
  const limiter = new FakeLimiter();
  const health = new FakeHealth();
  const logLines: string[] = [];
  const models = [
    fakeModel('tiny', { aliases: ['gpt-4o-mini'], extra: { compressed: true, id: 'hidden' } }),
    fakeModel('org/slashed', { parameterCount: 8_030_000_000 }),
    fakeModel('native-r'),
    fakeModel('thinker', {
      aliases: ['o4-mini'],
      capabilities: { audio: false, image: false, functionCalling: true, reasoning: true },
    }),
    fakeModel('ears', { kind: 'whisper' }),
    fakeModel('vectors', { kind: 'embedding' }),
  ];
  const deps = {
    engine,
    limiter,
    health,
    catalog: fakeCatalog(models),
    authenticator: fakeAuthenticator({
      [userKey]: {},
      [limitedKey]: { allowedModels: ['org/slashed'] },
      [adminKey]: { kind: 'admin' },
    }),
    administration: noAdministration,
    log: createLog({ level: 'info', pretty: false, destination: { write: (line) => logLines.push(line) } }),
    clock: { nowMs: () => 1_795_000_000_000 },
    settings: {
      jsonBodyLimitBytes: 64 * 1024,
      corsOrigins: ['http://localhost:*', 'http://127.0.0.1:*'],
      reasoningTokens: { low: 512, medium: 2048, high: 8192 },
      ...settings,
    },
  } satisfies AppDeps;
  return { ...deps, app: createApp({ ...deps, ...changes }), logLines };
}

/** The same, listening on a free port of this machine until `close`. */
export async function listen(settings: Partial<ApiSettings> = {}, changes: Partial<AppDeps> = {}) {
  const service = buildApp(settings, changes);
  const server = createHttpServer(service.app, service.log);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    ...service,
    server,
    port,
    origin,
    client: new OpenAI({ baseURL: `${origin}/v1`, apiKey: userKey, maxRetries: 0 }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

export type Service = Awaited<ReturnType<typeof listen>>;

/** A POST of `body` as JSON with the ordinary key; `init` overrides. */
export function chatRequest(body: unknown, init: RequestInit = {}): [string, RequestInit] {
  return [
    '/v1/chat/completions',
    {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
      headers: {
        authorization: `Bearer ${userKey}`,
        'content-type': 'application/json',
        ...(init.headers as Record<string, string>),
      },
    },
  ];
}

/** The least that the endpoint takes. */
export const hello: { model: string; messages: { role: 'user'; content: string }[] } = {
  model: 'tiny',
  messages: [{ role: 'user', content: 'Hi' }],
};
