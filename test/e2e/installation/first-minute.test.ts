import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { PullBench } from '../../support/files/pull-bench.ts';
import { hearthProcess } from '../../support/server/hearth-process.ts';
import {
  startServer,
  type RunningServer,
  type StartServerOptions,
} from '../../support/server/start-server.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'hearth-minute-'));
afterAll(() => rmSync(scratch, { recursive: true }));

async function start(options: Partial<StartServerOptions> = {}) {
  const server = await startServer({ modelsDirs: [], ...options });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

it('prints lines that fit a terminal of 80 columns, with a command for chatting and the address of the docs', async () => {
  const server = await start({ apiKey: null });
  await expect.poll(() => server.stdout()).toContain('Your API key');
  // Only commands that name this test's own data folder are longer.
  const lines = server
    .stdout()
    .split('\n')
    .filter((line) => !line.includes(server.dataDir));
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(server.stdout()).toMatch(/ chat --data-dir/);
  expect(server.stdout()).toContain('/docs/pages');

  // As pasted, over several lines.
  const [curl = ''] = / {2}curl (?:.*\\\n)+.*\n.*'\n/.exec(server.stdout()) ?? [];
  const { stdout } = spawnSync('sh', ['-c', curl], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({ object: 'chat.completion', model: 'hearth-demo' });
});

it('is ./hearth in a clone, from any folder and through a link', async () => {
  const { version } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const [cwd, command] of [
    [repository, './hearth'],
    [scratch, join(repository, 'hearth')],
  ] as const) {
    const { stdout } = spawnSync(command, ['--version'], { cwd, encoding: 'utf8' });
    expect(stdout).toContain(version);
  }
});

/** The log's messages about `model`. */
const logOf = (server: RunningServer, model: string) =>
  `${server.stdout()}\n${server.stderr()}`
    .split('\n')
    .filter((line) => line.startsWith('{') && line.includes(`"model":"${model}"`))
    .map((line) => (JSON.parse(line) as { msg: string }).msg);

it('loads the demo before anybody asks, where it is alone', async () => {
  const server = await start();
  await expect.poll(() => logOf(server, 'hearth-demo'), { timeout: 30_000 }).toContain('model loaded');
});

it('serves one file, and no other model, with -m', async () => {
  const file = join(scratch, 'only-this.gguf');
  copyFileSync(await tinyModel(), file);
  const server = await start({ args: ['-m', file] });
  const response = await fetch(`${server.baseUrl}/models`, {
    headers: { authorization: `Bearer ${server.apiKey}` },
  });
  expect(await response.json()).toMatchObject({ data: [{ id: 'only-this' }] });
  await expect.poll(() => logOf(server, 'only-this'), { timeout: 30_000 }).toContain('model loaded');

  const missing = await hearthProcess(scratch, [
    'serve',
    '--port',
    '0',
    '-m',
    'none.gguf',
    '--data-dir',
    'other',
  ]);
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('none.gguf cannot be read (ENOENT)'),
  });
  const text = join(scratch, 'text.gguf');
  writeFileSync(text, 'no model');
  const noModel = await hearthProcess(scratch, ['serve', '--port', '0', '-m', text, '--data-dir', 'other']);
  expect(noModel).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('text.gguf cannot be served: neither a GGUF nor a whisper ggml file'),
  });
});

it('needs no key on this machine with --no-key, and refuses it where others reach the server', async () => {
  const server = await start({ args: ['--no-key'] });
  const statusWith = async (headers: Record<string, string>) =>
    (await fetch(`${server.baseUrl}/models`, { headers })).status;
  expect(await statusWith({})).toBe(200);
  expect(await statusWith({ authorization: 'Bearer sk-none' })).toBe(200);
  expect(await statusWith({ authorization: `Bearer ${server.apiKey}` })).toBe(200);
  // A key of hearth that is not known is a mistake; a proxy or a page from elsewhere speaks for others.
  expect(await statusWith({ authorization: 'Bearer hk-unknown' })).toBe(401);
  expect(await statusWith({ 'x-forwarded-for': '192.0.2.1' })).toBe(401);
  expect(await statusWith({ origin: 'https://elsewhere.example' })).toBe(401);
  const admin = await fetch(new URL('/admin/v1/keys', server.baseUrl));
  expect(admin.status).toBe(401);

  const flags = ['serve', '--no-key', '--lan', '--port', '0', '--data-dir', 'lan'];
  const refused = await hearthProcess(scratch, flags);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--no-key: other machines reach 0.0.0.0'),
  });
});

it('pulls a model and chats with it by one command', async () => {
  const bench = await PullBench.open();
  onTestFinished(() => bench.close());
  bench.putRepository({ 'm-Q8_0.gguf': readFileSync(await tinyModel()) });
  const command = ['run', 'hf:Owner/Repo:Q8_0', '--data-dir', join(scratch, 'run')];
  const asking = execFile(process.execPath, [join(repository, 'src/cli.ts'), ...command], {
    cwd: scratch,
    env: { PATH: process.env['PATH'], HF_ENDPOINT: bench.server.origin },
  });
  asking.stdin?.end('Hello');
  let stdout = '';
  asking.stdout?.on('data', (text: string) => (stdout += text));
  const [code] = (await once(asking, 'close')) as [number];
  expect(code).toBe(0);
  expect(stdout.trim()).not.toBe('');
});

it('warns of variables that mean nothing, with the nearest one', async () => {
  const { code, stdout, stderr } = await hearthProcess(
    scratch,
    ['keys', 'list', '--json', '--data-dir', 'keys'],
    {
      HEARTH_MODEL_DIR: '/models',
    },
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' });
  expect(stderr).toContain("HEARTH_MODEL_DIR is none of hearth's (did you mean HEARTH_MODELS_DIR?)");
});

it('says of a demo that is to be removed how to leave it out', async () => {
  const { code, stderr } = await hearthProcess(scratch, ['models', 'rm', 'hearth-demo', '--data-dir', 'rm']);
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('demo: false') });
});
