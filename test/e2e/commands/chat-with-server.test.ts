import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneThread } from '../../support/server/chat-fixture.ts';
import { canTranscribe, demoSpeech } from '../../support/models/demo-speech.ts';
import { hearthCli } from '../../support/server/hearth-cli.ts';
import { readMetrics } from '../../support/watch/metrics.ts';
import { hasPseudoTerminal, keys, openTerminalProgram } from '../../support/page/pseudo-terminal.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { createModelsDir, tinyModel } from '../../support/models/tiny-model.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const run = promisify(execFile);

let dataDir: string;
let modelsDir: string;
let server: RunningServer;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hearth-chat-with-server-'));
  // The commands are not told of this folder: only the server can have used it.
  modelsDir = await createModelsDir({
    tiny: await tinyModel(),
    endless: await tinyModel({ contextTokens: 16_384, endOfTurnGain: 0, layers: 6 }),
    ears: await demoSpeech(),
  });
  server = await start();
});
afterAll(async () => {
  await server.stop();
  for (const folder of [dataDir, modelsDir]) rmSync(folder, { recursive: true });
});

async function start(): Promise<RunningServer> {
  const models = ['tiny', 'endless'].map((id) => ({ id, ...oneThread }));
  return await startServer({ modelsDirs: [modelsDir], dataDir, config: { models } });
}

const environment = { PATH: process.env['PATH'] };

/** The command's output, with `input` on its standard input. */
async function hearth(input: string | Buffer, ...args: readonly string[]) {
  const command = [cliPath, ...args, '--data-dir', dataDir];
  const running = run(process.execPath, command, { cwd: dataDir, env: environment });
  running.child.stdin?.end(input);
  return await running;
}

interface Measured {
  readonly isOwn: boolean;
  readonly results: readonly Readonly<Record<string, number>>[];
}

const count = async (series: string) => (await readMetrics(server)).get(series) ?? 0;

describe('commands beside the running server of their data folder', () => {
  const asked = (route: string) => `hearth_requests_total{route="${route}",model="tiny",status="200"}`;
  const answers = asked('/v1/chat/completions');

  it('list what the server serves, with the context that a request has there', async () => {
    const { stdout } = await hearth('', 'models', 'list', '--json');
    const { models, served } = JSON.parse(stdout) as Record<
      'models' | 'served',
      { id: string; context_window?: number }[]
    >;
    expect(models.map(({ id }) => id)).not.toContain('tiny');
    expect(served.map(({ id }) => id)).toEqual(expect.arrayContaining(['ears', 'endless', 'tiny']));
    const table = (await hearth('', 'models', 'list')).stdout;
    for (const { id, context_window: context } of served)
      expect(table).toMatch(new RegExp(`^${id} .*${context ?? '-'}`, 'm'));
  });

  it('answer one prompt, tell what is in memory, and free it, as Ollama has them', async () => {
    // A model with random weights may answer nothing.
    await hearth('', 'run', 'tiny', 'Hello', 'there');
    expect(await count(answers)).toBe(1);
    const loaded = () => hearthCli<{ name: string }[]>(server, 'ps');
    expect(await loaded()).toMatchObject([{ name: 'tiny:latest' }]);
    await hearth('', 'stop', 'tiny');
    await expect.poll(loaded, { timeout: 30_000 }).toEqual([]);
    await expect(hearth('', 'stop', 'tinny')).rejects.toMatchObject({
      stderr: expect.stringContaining('tinny') as string,
    });
  });

  it('refuse a name of no model before they send anything', async () => {
    await expect(hearth('', 'batch', 'run', '/dev/null', '--model', 'nope')).rejects.toMatchObject({
      stderr: expect.stringContaining('nope') as string,
    });
    await expect(hearth('', 'say', 'Hi.', '-o', 'm.xyz')).rejects.toMatchObject({
      stderr: expect.stringContaining('sound is not written as .xyz') as string,
    });
  });

  it('let it answer, with a model that they do not load and one key that is then of no use', async () => {
    for (const message of ['Hello', 'Hello again']) {
      const { stdout, stderr } = await hearth(message, 'chat', 'tiny');
      expect(stdout.trim()).not.toBe('');
      expect(stderr).toBe('');
    }
    expect(await count(answers)).toBe(3);
    expect(await count('hearth_model_loads_total{model="tiny",outcome="loaded"}')).toBe(2);
    const list = await hearthCli<{ name: string; state: string; accountName: string }[]>(
      server,
      'keys',
      'list',
    );
    const made = list.filter(({ name }) => name === 'hearth chat and transcribe');
    expect(made).toMatchObject([{ state: 'expired', accountName: 'local' }]);
    const usage = await hearthCli<{ rows?: unknown }>(server, 'usage', '--by', 'key');
    expect(JSON.stringify(usage)).toContain('hearth chat and transcribe');
  });

  it('get thoughts under -r ids', async () => {
    const { stdout, stderr } = await hearth('Hello', 'chat', 'hearth-demo-r');
    expect(stdout).toBe('Hello! How can I help you?\n');
    expect(stderr.trim()).not.toBe('');
  });

  it('tell what it refuses in one line', async () => {
    await expect(hearth('A long story. '.repeat(2000), 'chat', 'tiny')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^hearth: This model's maximum context [^\n]*\n$/),
    });
  });

  it.runIf(canTranscribe)('let it transcribe files and standard input', async () => {
    const { stdout } = await hearth(writeWav(tone(440, 12)), 'transcribe', '-', '--text');
    expect(stdout).toBe('The quick brown fox jumped over the lazy dog.\n');
    expect(await count('hearth_audio_seconds_total{model="ears"}')).toBe(12);
  });

  it('measure how fast a model of the server answers, one client and several at once', async () => {
    const load = ['--prompt-tokens', '100', '--output-tokens', '8', '--clients', '1,3'];
    const { stdout } = await hearth('', 'bench', 'tiny', '--json', ...load);
    const { isOwn, results } = JSON.parse(stdout) as Measured;
    expect(isOwn).toBe(false);
    expect(results.map(({ clients }) => clients)).toEqual([1, 3]);
    for (const { clients = 0, promptTokens, ...figures } of results) {
      // Random words have more and fewer tokens.
      expect(promptTokens).toBeGreaterThan(60);
      expect(promptTokens).toBeLessThan(160);
      expect([1, 2, 3].map((rounds) => rounds * clients)).toContain(figures['requests']);
      for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(0);
    }
    expect(await count(asked('/api/chat'))).toBeGreaterThanOrEqual(6);
    expect((await hearth('', 'bench', 'tiny', ...load)).stdout).toMatch(
      /^tiny at the server at http:\S+, answers of 8 tokens\nCLIENTS .*\n +1 .*\n +3 /,
    );
  });

  it.each([
    [['--clients', '1,0'], /--clients: must be a whole number of clients/],
    [['--clients', '257'], /at most 256/],
    [['tinny'], /no chat model "tinny" \(did you mean tiny/],
    [['tiny', '--prompt-tokens', '100000'], /maximum context length/],
    [['endless', '--seconds', '1', '--output-tokens', '10000'], /not answered within 1 s \(ask for less/],
    [['-m', 'nothing.gguf'], /nothing\.gguf/],
  ])('do not measure %j', async (args, message) => {
    await expect(hearth('', 'bench', ...args)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(message) as string,
    });
  });

  it('measure a file of its own beside the server', async () => {
    const file = join(modelsDir, 'tiny.gguf');
    const load = ['--prompt-tokens', '50', '--output-tokens', '2', '--clients', '1'];
    const { stdout } = await hearth('', 'bench', '-m', file, '--json', ...load);
    expect(JSON.parse(stdout)).toMatchObject({ isOwn: true, model: 'tiny', results: [{ clients: 1 }] });
  });

  it('find its address in a file of the owner, which it takes away at its end', async () => {
    const file = join(dataDir, 'hearth.db.address');
    expect(readFileSync(file, 'utf8').trim()).toBe(server.baseUrl);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await server.stop();
    expect(existsSync(file)).toBe(false);
    server = await start();
  });

  it('answer by themselves where it was killed, whatever address it left', async () => {
    await server.kill();
    expect(existsSync(join(dataDir, 'hearth.db.address'))).toBe(true);
    const { stdout } = await hearth('Hello', 'chat', 'hearth-demo');
    expect(stdout).toBe('Hello! How can I help you?\n');
    server = await start();
  });

  it.runIf(hasPseudoTerminal)(
    'stop its answer at Ctrl-C, and go on without it when it has gone',
    async () => {
      const command = [process.execPath, cliPath, 'chat', 'endless', '--data-dir', dataDir];
      await using chat = openTerminalProgram(command, { cwd: dataDir, env: environment });
      await chat.waitFor(`endless, the server at ${server.baseUrl}`);
      await chat.waitFor('> ');
      chat.type(`Tell${keys.enter}`);
      await chat.waitFor(/\n[^\n]{40}/);
      chat.type(keys.interrupt);
      await chat.waitFor('(stopped)');
      const busySlots = () => count('hearth_slots_busy{model="endless"}');
      await expect.poll(busySlots).toBe(0);
      await chat.waitFor('> ');
      chat.type(`More${keys.enter}`);
      await chat.waitFor(/\n[^\n]{40}/);
      await server.kill();
      await chat.waitFor(`the server at ${server.baseUrl} does not answer`);
      await chat.waitFor('> ');
      chat.type(`Hello${keys.enter}`);
      await chat.waitFor('there is no chat model "endless" (there are: hearth-demo');
      chat.type(`/clear${keys.enter}/model hearth-demo${keys.enter}Hello${keys.enter}`);
      await chat.waitFor('Hello! How can I help you?');
      chat.type(keys.end);
      expect(await chat.exited).toBe(0);
      server = await start();
    },
  );
});
