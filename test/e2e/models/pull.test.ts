import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { completeChat, openClient } from '../../support/server/chat-client.ts';
import { expectError } from '../../support/wire/error-envelope.ts';
import { makeKey } from '../../support/server/make-accounts.ts';
import { readMetrics } from '../../support/watch/metrics.ts';
import { PullBench } from '../../support/files/pull-bench.ts';
import { configFileName, startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const patience = { timeout: 30_000 };
const source = 'hf:Owner/Repo:Q8_0';

let bytes: Buffer;
let bench: PullBench;
let server: RunningServer;
let admin: string;
beforeAll(async () => {
  bytes = await readFile(await tinyModel());
  bench = await PullBench.open();
  server = await startServer({
    modelsDirs: [],
    config: { demo: false, models: [] },
    env: { HF_ENDPOINT: bench.server.origin },
  });
  admin = makeKey(server, 'local', { kind: 'admin' }).secret;
});
afterAll(async () => {
  await server.stop();
  await bench.close();
});
beforeEach(() => {
  bench.server.handlers.clear();
  bench.server.requests.length = 0;
});
afterEach(() => rm(pulledFolder(), { recursive: true, force: true }));

const pulledFolder = () => join(server.dataDir, 'models');
const pulledFile = () => join(pulledFolder(), 'Owner/Repo/m-Q8_0.gguf');

const askToPull = (body: object, key = admin, init: RequestInit = {}): Promise<Response> =>
  fetch(new URL('/admin/v1/models/pull', server.baseUrl), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  });

type Event = Readonly<Record<string, unknown>>;

async function eventsOf(response: Response): Promise<Event[]> {
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  const data = (await response.text()).match(/^data: \{.*$/gm) ?? [];
  return data.map((line) => JSON.parse(line.slice('data: '.length)) as Event);
}

/** Serves half of the model, and the other half when it is let. */
function serveInHalves(): { half: Promise<void>; release: () => void } {
  bench.putRepository({ 'm-Q8_0.gguf': bytes });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: half, resolve: halfIsOut } = Promise.withResolvers<void>();
  const middle = bytes.length / 2;
  const path = '/Owner/Repo/resolve/main/m-Q8_0.gguf';
  const whole = bench.server.handlers.get(path);
  bench.server.handlers.set(path, (request, response) => {
    if (request.headers.range !== undefined) {
      whole?.(request, response);
      return;
    }
    response.writeHead(200, { 'content-length': bytes.length, etag: '"v1"' });
    response.write(bytes.subarray(0, middle), () => halfIsOut());
    void released.then(() => response.end(bytes.subarray(middle)));
  });
  return { half, release };
}

/** Asks for the model of `source`, and leaves when the half of it is there. */
async function leaveHalfway(): Promise<void> {
  const { half } = serveInHalves();
  const leaving = new AbortController();
  const response = await askToPull({ model: source }, admin, { signal: leaving.signal });
  await half;
  await response.body?.getReader().read();
  leaving.abort();
}

describe('POST /admin/v1/models/pull', { timeout: 120_000 }, () => {
  it('tells how far it is, goes on after cuts, and the model is served at once, byte for byte', async () => {
    bench.putRepository({ 'm-Q8_0.gguf': bytes }, { cutAfterBytes: 200_000, cuts: 2 });
    const events = await eventsOf(await askToPull({ model: source }));
    expect(events.filter(({ note }) => String(note).includes('trying again'))).toHaveLength(2);
    const received = events.map((event) => Number(event['received_bytes']));
    expect(received).toEqual(received.toSorted((a, b) => a - b));
    expect(events.at(-1)).toEqual({
      object: 'model_pull',
      state: 'pulled',
      model: 'm-Q8_0',
      file: 'm-Q8_0.gguf',
      received_bytes: bytes.length,
      total_bytes: bytes.length,
      bytes_per_second: 0,
      note: null,
    });
    expect(readFileSync(pulledFile()).equals(bytes)).toBe(true);
    expect(bench.downloads().slice(1)).toEqual(Array(2).fill(expect.stringMatching(/^bytes=[1-9]\d*-$/)));
    await completeChat(openClient(server), 'm-Q8_0', 'Hi', { max_tokens: 2 });

    const again = await eventsOf(await askToPull({ model: source }));
    expect(again.at(-1)).toMatchObject({ state: 'pulled', model: 'm-Q8_0', note: 'it was there already' });
  });

  it('is one download with whoever else wants the same, on the command line too', async () => {
    const { half, release } = serveInHalves();
    const first = askToPull({ model: source });
    await half;
    const second = await askToPull({ model: source });
    const command = pullOnCommandLine();
    const listings = () => bench.server.requests.filter(({ url }) => url.includes('/tree/')).length;
    await expect.poll(listings, patience).toBe(2);
    release();
    for (const response of [await first, second])
      expect((await eventsOf(response)).at(-1)).toMatchObject({ state: 'pulled', model: 'm-Q8_0' });
    expect(await command).toBe(0);
    expect(bench.downloads()).toHaveLength(1);
    expect(readFileSync(pulledFile()).equals(bytes)).toBe(true);
  });

  it('serves it under the id that was asked for, and gives none away that another model has', async () => {
    bench.putRepository({ 'm-Q8_0.gguf': bytes });
    bench.putRepository({ 'm-Q8_0.gguf': bytes }, { repository: 'Another/Repo' });
    expect((await eventsOf(await askToPull({ model: source }))).at(-1)).toMatchObject({ model: 'm-Q8_0' });
    const downloads = bench.downloads().length;
    const [refused] = await eventsOf(await askToPull({ model: 'hf:Another/Repo' }));
    expect(refused).toMatchObject({
      error: { code: 'pull_failed', message: expect.stringMatching(/"m-Q8_0" is taken by .*Owner.*"id"/) },
    });
    expect(bench.downloads()).toHaveLength(downloads);
    const events = await eventsOf(await askToPull({ model: 'hf:Another/Repo', id: 'another/m' }));
    expect(events.at(-1)).toMatchObject({ state: 'pulled', model: 'another/m' });
    for (const model of ['m-Q8_0', 'another/m'])
      await completeChat(openClient(server), model, 'Hi', { max_tokens: 2 });
  });

  it('ends when its client leaves, and the next one goes on from there', async () => {
    await leaveHalfway();
    const partBytes = () => (existsSync(`${pulledFile()}.part`) ? statSync(`${pulledFile()}.part`).size : 0);
    await expect.poll(partBytes, patience).toBeGreaterThan(0);
    await expect
      .poll(async () => (await readMetrics(server)).get('hearth_pulls_total{outcome="stopped"}'), patience)
      .toBe(1);
    const events = await eventsOf(await askToPull({ model: source }));
    expect(events.at(-1)).toMatchObject({ state: 'pulled' });
    expect(bench.downloads()).toEqual([undefined, expect.stringMatching(/^bytes=[1-9]\d*-$/)]);
    expect(readFileSync(pulledFile()).equals(bytes)).toBe(true);
  });

  it.each([
    ['a repository that is not there', 'hf:No/Where', /does not exist/],
    ['an address inside this machine', 'https://127.0.0.1:1/m.gguf', /inside this machine or its network/],
    ['a name of this machine', 'https://localhost:1/m.gguf', /inside this machine or its network/],
    ['this machine through NAT64', 'https://[64:ff9b::127.0.0.1]:1/m.gguf', /inside this machine/],
    ['this machine through 6to4', 'https://[2002:7f00:1::]:1/m.gguf', /inside this machine/],
    ['this machine in the old IPv6 form', 'https://[::127.0.0.1]:1/m.gguf', /inside this machine/],
  ])('says what went wrong in its last event: %s', async (_what, model, message) => {
    const response = await askToPull({ model });
    expect(response.status).toBe(200);
    const [event] = await eventsOf(response);
    expect(event).toMatchObject({ error: { code: 'pull_failed', message: expect.stringMatching(message) } });
  });

  it.each([
    ['a name that is nearly known', { model: 'qwen3-0.6' }, 'invalid_value', /Did you mean qwen3-0\.6b/],
    ['a name as Ollama has it', { model: 'llama3:8b' }, 'invalid_value', /llama-3\.2-1b.*search=llama3 /],
    ['a path', { model: '/etc/passwd' }, 'invalid_value', /hf:Owner/],
    ['no repository', { model: 'hf:nonsense' }, 'invalid_value', /is not of the form/],
    ['http', { model: 'http://example.com/m.gguf' }, 'invalid_value', /https:/],
    ['http in capitals', { model: 'HTTP://example.com/m.gguf' }, 'invalid_value', /https:/],
    ['an id that is none', { model: source, id: 'two words' }, 'invalid_value', /letters, digits/],
    ['a hash that is none', { model: source, sha256: 'abc' }, 'invalid_value', /hexadecimal/],
    ['nothing', {}, 'missing_required_parameter', /model/],
  ] as const)('refuses %s', async (_what, body, code, message) => {
    expect(await expectError(await askToPull(body), code)).toMatch(message);
  });

  it('is in the audit log with its end', async () => {
    bench.putRepository({ 'm-Q8_0.gguf': bytes });
    await eventsOf(await askToPull({ model: source }));
    await eventsOf(await askToPull({ model: 'hf:No/Where' }));
    for (const stream of [true, false]) {
      const body = JSON.stringify({ model: 'hf.co/No/Where', stream });
      const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' };
      await (await fetch(new URL('/api/pull', server.baseUrl), { method: 'POST', headers, body })).text();
    }
    await rm(pulledFolder(), { recursive: true });
    await leaveHalfway();
    const acts = async () => {
      const answer = await fetch(new URL('/admin/v1/audit?limit=9', server.baseUrl), {
        headers: { authorization: `Bearer ${admin}` },
      });
      const { data } = (await answer.json()) as { data: { act: string; subject: string; after: unknown }[] };
      return data.toReversed().map(({ act, subject, after }) => [act, subject, after]);
    };
    const reason = expect.stringContaining('does not exist') as string;
    await expect.poll(acts, patience).toEqual([
      ['model.pull', source, null],
      ['model.pulled', 'm-Q8_0', null],
      ['model.pull', 'hf:No/Where', null],
      ['model.pull_failed', 'hf:No/Where', { reason }],
      ['model.pull', 'hf:No/Where', null],
      ['model.pull_failed', 'hf:No/Where', { reason }],
      ['model.pull_failed', 'hf:No/Where', { reason }],
      ['model.pull', source, null],
      ['model.pull_stopped', source, null],
    ]);
  });

  it('is for admin keys', async () => {
    await expectError(await askToPull({ model: source }, server.apiKey), 'insufficient_permissions');
  });
});

describe('a configured model', { timeout: 120_000 }, () => {
  it('is pulled when the configuration is read again, and /readyz knows', async () => {
    const readiness = async () => {
      const response = await fetch(new URL('/readyz', server.baseUrl));
      return `${response.status} ${await response.text()}`;
    };
    await expect.poll(readiness, patience).toContain('503');
    expect(await readiness()).toContain('there is no model');
    const { half, release } = serveInHalves();
    const models = [{ id: 'mine', source, threads: 1 }];
    await writeFile(join(server.dataDir, configFileName), JSON.stringify({ demo: false, models }));
    process.kill(server.pid, 'SIGHUP');
    await half;
    expect(await readiness()).toContain('mine must be pulled first');
    release();
    await expect.poll(readiness, patience).toBe('200 {"status":"ready"}');
    await completeChat(openClient(server), 'mine', 'Hi', { max_tokens: 2 });
  });
});

/** The status with which `hearth models pull` ends, run beside the server. */
async function pullOnCommandLine(): Promise<number> {
  const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
  const args = ['models', 'pull', source, '--data-dir', server.dataDir];
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: server.dataDir,
    env: { PATH: process.env['PATH'], HF_ENDPOINT: bench.server.origin },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}

describe('the hub', { timeout: 30_000 }, () => {
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(new URL(`/admin/v1/${path}`, server.baseUrl), {
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      ...init,
    });

  it('is searched, and what does not look like an answer is left out', async () => {
    const found = [
      { id: 'Owner/Repo', downloads: 7, gated: 'manual' },
      { id: '../Repo' },
      { id: 'Owner/Repo/more' },
      null,
      { id: 'Other/Repo', downloads: -1 },
    ];
    bench.server.handlers.set('/api/models', (_request, response) => response.end(JSON.stringify(found)));
    const answer = await ask('hub-models?search=small%20%26%20fast');
    expect(await answer.json()).toMatchObject({
      data: [
        { id: 'Owner/Repo', downloads: 7, gated: true },
        { id: 'Other/Repo', downloads: 0, gated: false },
      ],
    });
    const { url = '' } = bench.server.requests.at(-1) ?? {};
    expect(Object.fromEntries(new URL(url, 'http://hub').searchParams)).toMatchObject({
      search: 'small & fast',
      filter: 'gguf',
    });
    await expectError(await ask('hub-models'), 'missing_required_parameter', 'search');
    await expectError(await ask('hub-models?search=x'), 'invalid_value', 'search');
  });

  it('tells the whole models of a repository, from small to large, and whether they fit', async () => {
    const large = { type: 'file', path: 'm-F16.gguf', size: 2 ** 50 };
    const files = [
      large,
      { type: 'file', path: 'm-Q4_K_M-00001-of-00002.gguf', size: 10 },
      { type: 'file', path: 'm-Q4_K_M-00002-of-00002.gguf', size: 20 },
      { type: 'file', path: 'm-Q2_K-00001-of-00002.gguf', size: 1 },
      { type: 'file', path: 'mmproj-F16.gguf', size: 5 },
      { type: 'file', path: 'README.md', size: 5 },
    ];
    bench.server.handlers.set('/api/models/Owner/Repo/tree/main', (_request, response) => {
      response.end(JSON.stringify(files));
    });
    expect(await (await ask('hub-models/Owner/Repo')).json()).toMatchObject({
      data: [
        { id: 'm-Q4_K_M.gguf', source: 'hf:Owner/Repo:m-Q4_K_M.gguf', size_bytes: 35, fits: true },
        { id: 'm-F16.gguf', size_bytes: 2 ** 50 + 5, fits: false },
      ],
    });
    await expectError(await ask('hub-models/Owner/..%2FRepo'), 'not_found', 'repository');
  });

  it.each([
    ['too much', 'x'.repeat(3 * 2 ** 20), 'too long'],
    ['no list', '{}', 'something else'],
    ['no JSON', '<html>', 'something else'],
  ])('that sends %s is told as such', async (_, body, message) => {
    bench.server.handlers.set('/api/models', (_request, response) => response.end(body));
    const { error } = (await (await ask('hub-models?search=any')).json()) as { error: { message: string } };
    expect(error.message).toContain(message);
  });

  it('has settings of its models in the configuration file, whatever is refused', async () => {
    const file = join(server.dataDir, configFileName);
    bench.putRepository({ 'm-Q8_0.gguf': bytes });
    await writeFile(file, '# Mine.\ndemo: false # as it was\nmodels: []\n');
    process.kill(server.pid, 'SIGHUP');
    await eventsOf(await askToPull({ model: source }));
    const path = 'models/m-Q8_0/settings';
    await expect.poll(async () => (await ask(path)).status).toBe(200);
    const change = (body: object) => ask(path, { method: 'PATCH', body: JSON.stringify(body) });
    expect(await (await change({ context: 256, keepAlive: '1h', temperature: 0 })).json()).toMatchObject({
      file,
      settings: { context: 256, keepAlive: '1h', temperature: 0, stop: null },
    });
    expect(await readFile(file, 'utf8')).toMatch(/^# Mine\.\ndemo: false # as it was\nmodels:/);
    const loaded = await ask('models/m-Q8_0/load', { method: 'POST' });
    expect(await loaded.json()).toMatchObject({ context_window: 256 });
    await expectError(await change({ top_p: 2 }), 'invalid_value', 'top_p');
    await expectError(await change({ keepAlive: 'soon' }), 'invalid_value', 'keepAlive');
    const kept = await readFile(file, 'utf8');
    await writeFile(file, `${kept}nonsense: 1\n`);
    const { error } = (await (await change({ top_p: 0.5 })).json()) as { error: { message: string } };
    expect(error.message).toContain('unknown key "nonsense"');
    expect(await readFile(file, 'utf8')).toBe(`${kept}nonsense: 1\n`);
    await writeFile(file, kept);
  });
});
