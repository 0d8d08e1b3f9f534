import { exec, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openClient, postChat } from '../../support/server/chat-client.ts';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { startServer } from '../../support/server/start-server.ts';
import type { RunningServer, StartServerOptions } from '../../support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const modelsDir = createModelsDirOnce();

describe('SIGTERM', () => {
  it('lets a running answer come to its end', async () => {
    const server = await start({});
    const response = await postChat(server, streamedBody(1500));
    const reading = readAfterFirstBytes(response);
    await reading.firstBytes;
    const stopping = server.stop();
    await expect
      .poll(() => server.stdout())
      .toContain('SIGTERM: shutting down: 1 request has 30 s to end; a second SIGTERM ends all at once');
    const text = await reading.text;
    expect(text.trimEnd().endsWith('data: [DONE]')).toBe(true);
    expect(text).toContain('"finish_reason":"length"');
    expect(await stopping).toEqual({ code: 0, signal: null });
  });

  it('ends an answer that takes too long with an error event, and takes no new work', async () => {
    const server = await start({ config: { ...longContext, shutdownGrace: '1s' } });
    const reading = readAfterFirstBytes(await postChat(server, streamedBody(30_000)));
    await reading.firstBytes;
    const stopping = server.stop();
    await new Promise((resolve) => setTimeout(resolve, 200));
    // Whether the socket is closed already or the route says so: nobody gets an answer any more.
    const late = await postChat(server, streamedBody(5)).then(
      ({ status }) => status,
      () => 'refused' as const,
    );
    expect([503, 'refused']).toContain(late);
    const text = await reading.text;
    expect(text).toContain('event: error');
    expect(text).toContain('"server_shutting_down"');
    expect(text).not.toContain('[DONE]');
    expect((await stopping).code).toBe(0);
  });
});

describe('the first key', () => {
  it('is printed once as the last on the screen, and survives kill -9; later starts say how to get another', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hearth-data-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const first = await start({ dataDir, apiKey: null });
    await expect.poll(() => first.stdout()).toMatch(/\/docs\nYour API key, shown only once: hk-[\w-]+\n$/);
    const apiKey = /Bearer ([\w-]{16,})/.exec(first.stdout() + first.stderr())?.[1] ?? '';
    expect(apiKey).not.toBe('');
    await openClient({ ...first, apiKey }).models.list();
    // In the middle of an answer, as a power cut would.
    const reading = readAfterFirstBytes(await postChat({ ...first, apiKey }, streamedBody(1500)));
    await reading.firstBytes;
    await first.kill();
    await expect(reading.text).rejects.toThrow();

    const second = await start({ dataDir, apiKey: null });
    expect(second.stdout() + second.stderr()).not.toContain(apiKey);
    const listing = await openClient({ ...second, apiKey }).models.list();
    expect(listing.data.map(({ id }) => id)).toContain('tiny');
    await expect.poll(() => second.stdout()).toContain('For another one');
    const [, command = ''] = /another one, in a second terminal:\n {2}(.+)\n/.exec(second.stdout()) ?? [];
    expect(command).toContain('keys create --account local ');
    expect(command).toContain(` --data-dir ${dataDir}`);
    const { stdout } = await promisify(exec)(command);
    expect(stdout).toContain('The key, shown only this once: hk-');
  });

  it('is not made where the port is taken, so that a later start prints it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hearth-data-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const failed = start({ dataDir, apiKey: null, args: ['--port', String(port)] });
    await expect(failed).rejects.toThrow(`port ${port} on 127.0.0.1 is taken`);
    const later = await start({ dataDir, apiKey: null });
    // A start that failed is no crash.
    expect(later.stderr()).not.toContain('was not closed');
    expect(later.stdout()).toContain('Your API key, shown only once: hk-');
  });

  it('comes from HEARTH_API_KEY on an empty database, is not printed, and survives kill -9', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'hearth-data-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
    const first = await start({ dataDir });
    await openClient(first).models.list();
    await first.kill();
    expect(first.stdout() + first.stderr()).not.toContain(first.apiKey);

    const second = await start({ dataDir, apiKey: null });
    await openClient({ ...second, apiKey: first.apiKey }).models.list();
  });
});

describe('a server that nobody asks', () => {
  let running: RunningServer;
  beforeAll(async () => {
    running = await startServer({ config: longContext, modelsDirs: [await modelsDir()] });
  });
  afterAll(() => running.kill());

  it.runIf(process.platform === 'linux')('is named to a start that wants its port', async () => {
    const { port } = new URL(running.baseUrl);
    const holder = `process ${running.pid} \\(.*cli\\.ts serve.*\\(stop it with "kill ${running.pid}", or`;
    await expect(start({ args: ['--port', port] })).rejects.toThrow(
      new RegExp(`port ${port} on 127\\.0\\.0\\.1 is taken by ${holder}`, 's'),
    );
  });

  it('is named to a start that wants its data folder', async () => {
    const failed = start({ dataDir: running.dataDir });
    await expect(failed).rejects.toThrow(
      new RegExp(
        `serves from ${running.dataDir} already: process ${running.pid}, which runs since 20.*kill ${running.pid}"`,
      ),
    );
  });

  it('ends at SIGTERM with status 0 at once', async () => {
    const startedAtMs = performance.now();
    expect(await running.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - startedAtMs).toBeLessThan(5000);
  });
});

it.runIf(process.platform !== 'win32')('SIGTERM to npm start ends the server too', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hearth-data-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const args = ['start', '--', '--port', '0', '--data-dir', dataDir, '--models-dir', await modelsDir()];
  const npm = spawn('npm', args, { cwd: repository });
  let printed = '';
  npm.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  await expect.poll(() => printed, { timeout: 50_000 }).toContain('Reference:');
  const [, baseUrl] = /API: +(\S+)/.exec(printed) ?? [];
  const health = () =>
    fetch(`${baseUrl}/../healthz`).then(
      ({ status }) => status,
      () => 'nobody listens',
    );
  expect(await health()).toBe(200);
  npm.kill('SIGTERM');
  await expect.poll(health).toBe('nobody listens');
});

const longContext = { models: [{ id: 'tiny', context: 32_768, parallel: 1, ...oneThread }] };

async function start(options: Omit<StartServerOptions, 'modelsDirs'>): Promise<RunningServer> {
  const server = await startServer({ config: longContext, ...options, modelsDirs: [await modelsDir()] });
  onTestFinished(async () => {
    await server.kill();
  });
  return server;
}

function createModelsDirOnce(): () => Promise<string> {
  let directory: Promise<string> | undefined;
  afterAll(async () => {
    if (directory !== undefined) await rm(await directory, { recursive: true, force: true });
  });
  return () => {
    directory ??= (async () => createModelsDir({ tiny: await tinyModel({ contextTokens: 32_768 }) }))();
    return directory;
  };
}

function streamedBody(maxTokens: number): object {
  const messages = [{ role: 'user', content: 'A story' }];
  return { model: 'tiny', messages, stream: true, ignore_eos: true, max_tokens: maxTokens };
}

/** The body's whole text, and the moment when its first bytes were there. */
function readAfterFirstBytes(response: Response): { firstBytes: Promise<void>; text: Promise<string> } {
  const { promise: firstBytes, resolve, reject } = Promise.withResolvers<void>();
  const read = async (): Promise<string> => {
    expect(response.status).toBe(200);
    const decoder = new TextDecoder();
    let text = '';
    for await (const bytes of response.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      resolve();
    }
    return text;
  };
  const text = read();
  text.catch(reject);
  return { firstBytes, text };
}
