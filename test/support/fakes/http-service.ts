import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { createApp } from '../../../src/api/app.ts';
import type { ApiSettings, AppDeps, Health, UnavailableModel } from '../../../src/api/env.ts';
import { createHttpServer } from '../../../src/api/http-server.ts';
import type { AppError } from '../../../src/errors/errors.ts';
import { SoundEncoder } from '../../../src/engine/audio/sound-encoder.ts';
import { mostVoiceSeconds } from '../../../src/engine/voice/speaking-types.ts';
import { Voices } from '../../../src/voices/voices.ts';
import { AudioDecoder } from '../../../src/engine/audio/audio-decoder.ts';
import { FileTranscriber } from '../../../src/engine/speech/file-transcriber.ts';
import { KeptStreams } from '../../../src/api/streams/kept-streams.ts';
import { McpServers } from '../../../src/mcp/mcp-servers.ts';
import { DocumentReader } from '../../../src/documents/document-reader.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { Metrics } from '../../../src/telemetry/metrics.ts';
import { FakeEngine } from './fake-engine.ts';
import {
  FakeLimiter,
  fakeAuthenticator,
  fakeCatalog,
  fakeModel,
  noAdministration,
  noBatches,
  noFiles,
  noStoredResponses,
} from './fake-services.ts';
import { FakeSpeechEngine } from './fake-speech-engine.ts';
import { testFolder } from '../files/test-folder.ts';
import { withCheckedResponses } from '../openapi/checked-app.ts';

export const userKey = 'hk-user-0123456789abcdefghijklmnopqrstuvwxyz12';
export const limitedKey = 'hk-ltd-0123456789abcdefghijklmnopqrstuvwxyz123';
export const adminKey = 'hk-admin-0123456789abcdefghijklmnopqrstuvwxyz1234567';

const sounds = new SoundEncoder('ffmpeg');

export class FakeHealth implements Health {
  isDraining = false;
  /** Thrown where something is to be written. */
  unwritable: AppError | undefined;
  error: AppError | undefined;
  broken: readonly UnavailableModel[] = [];

  unready(): AppError | undefined {
    return this.error;
  }

  unavailable(): readonly UnavailableModel[] {
    return this.broken;
  }

  draining(): boolean {
    return this.isDraining;
  }

  async writable(): Promise<void> {
    if (this.unwritable !== undefined) throw this.unwritable;
  }
}

/** The app with everything behind it faked, for calls in process; its responses are checked against its document. */
export function buildApp(settings: Partial<ApiSettings> = {}, changes: Partial<AppDeps> = {}) {
  const engine = new FakeEngine();
  const speech = new FakeSpeechEngine();
  const limiter = new FakeLimiter();
  const health = new FakeHealth();
  const logLines: string[] = [];
  const models = [
    fakeModel('tiny', { aliases: ['gpt-4o-mini'], info: { compressed: true, id: 'hidden' } }),
    fakeModel('org/slashed', { parameterCount: 8_030_000_000 }),
    fakeModel('native-r'),
    fakeModel('thinker', {
      aliases: ['o4-mini'],
      capabilities: {
        audio: false,
        image: false,
        functionCalling: true,
        reasoning: true,
        toolFormat: 'native',
      },
    }),
    fakeModel('mouth', { kind: 'voice', aliases: ['tts-1'] }),
    fakeModel('ears', { kind: 'speech', aliases: ['whisper-1'] }),
    fakeModel('vectors', { kind: 'embedding' }),
    fakeModel('judge', { kind: 'reranker' }),
  ];
  const log = createLog({
    level: 'info',
    pretty: false,
    destination: { write: (line) => logLines.push(line) },
  });
  const deps = {
    engine,
    models: engine,
    transcriber: new FileTranscriber({
      decoder: new AudioDecoder({ ffmpeg: undefined, maxSeconds: 60, log }),
      speech,
      parallel: 2,
      queueLimit: 2,
      queueTimeoutMs: 60_000,
    }),
    documents: new DocumentReader(log),
    sounds,
    voices: new Voices({
      configured: () => [
        { name: 'anna', path: '/voices/anna.wav' },
        { name: 'berta', path: '/voices/berta.wav' },
      ],
      modelFiles: () => [],
      filesBeside: async () => [],
      folder: join(testFolder, 'voices'),
      decoder: new AudioDecoder({ ffmpeg: undefined, maxSeconds: mostVoiceSeconds, log }),
    }),
    limiter,
    health,
    catalog: fakeCatalog(models),
    mcp: new McpServers([], { workingDir: testFolder, readSetting: String, log }),
    authenticator: fakeAuthenticator({
      [userKey]: {},
      [limitedKey]: { allowedModels: ['org/slashed'] },
      [adminKey]: { kind: 'admin' },
    }),
    administration: noAdministration,
    responses: noStoredResponses,
    files: noFiles,
    batches: noBatches,
    streams: new KeptStreams(),
    signingKey: Buffer.alloc(32, 'signing key'),
    log,
    metrics: new Metrics(),
    clock: { nowMs: () => 1_795_000_000_000 },
    settings: {
      jsonBodyLimitBytes: 64 * 1024,
      imageBodyLimitBytes: 2 ** 20,
      audioBodyLimitBytes: 2 ** 20,
      storedResponsesLimitBytes: 2 ** 20,
      filesLimitBytes: 2 ** 20,
      uploadsDir: testFolder,
      corsOrigins: ['http://localhost:*', 'http://127.0.0.1:*'],
      reasoningTokens: { low: 512, medium: 2048, high: 8192 },
      ...settings,
    },
  } satisfies AppDeps;
  const app = createApp({ ...deps, ...changes });
  const silentTwin = createApp({ ...deps, log: createLog({ level: 'silent' }), metrics: new Metrics() });
  return { ...deps, speech, app: withCheckedResponses(app, silentTwin), logLines };
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

/** A POST of `body` to the chat route with the ordinary key; `init` overrides. */
export function chatRequest(body: unknown, init: RequestInit = {}): [string, RequestInit] {
  return jsonRequest('/v1/chat/completions', body, init);
}

/** A POST of `body` as JSON with the ordinary key; `init` overrides. */
export function jsonRequest(path: string, body: unknown, init: RequestInit = {}): [string, RequestInit] {
  return [
    path,
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
