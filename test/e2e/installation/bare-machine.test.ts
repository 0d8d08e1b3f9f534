import { execFile, spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoModel } from '../../support/server/demo-server.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'hearth-bare-'));
const clone = join(scratch, 'hearth');
const home = join(scratch, 'home');
const bin = join(scratch, 'bin');
afterAll(() => rmSync(scratch, { recursive: true }));

/** The machine's own command, and not the one of a package here. */
function commandOfMachine(name: string): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((dir) => !dir.includes('node_modules'));
  const found = folders.map((dir) => join(dir, name)).find((file) => existsSync(file));
  if (found === undefined) throw new Error(`this machine has no ${name}`);
  return realpathSync(found);
}

/** Where packages come from. All other settings of npm on this machine are left out, such as where Node's headers lie. */
async function npmSource(): Promise<Record<string, string>> {
  const settings = await Promise.all(
    ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy', 'cache'].map(async (name) => {
      const { stdout } = await run('npm', ['config', 'get', name], { cwd: repository });
      return [`npm_config_${name.replace('-', '_')}`, stdout.trim()] as const;
    }),
  );
  return Object.fromEntries(settings.filter(([, value]) => value !== '' && value !== 'null'));
}

/** A machine with an empty home folder on which nothing is found but Node, npm and a shell. */
async function bareEnvironment(): Promise<Record<string, string>> {
  return {
    PATH: bin,
    HOME: home,
    ...(await npmSource()),
    npm_config_globalconfig: join(home, 'none'),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  };
}

const env = await bareEnvironment();
const inClone = (command: string, ...args: string[]) => run(join(bin, command), args, { cwd: clone, env });
const hearth = (...args: string[]) => inClone('npm', 'run', '--silent', 'hearth', '--', ...args);
/** How a command of hearth failed; a command that succeeds fails the test. */
const failureOf = async (...args: string[]) =>
  hearth(...args).then(
    () => expect.unreachable(`hearth ${args.join(' ')} succeeded`),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  );

beforeAll(() => {
  for (const folder of [home, bin]) mkdirSync(folder);
  for (const name of ['node', 'npm', 'npx', 'sh', 'env'])
    symlinkSync(commandOfMachine(name), join(bin, name));
});

describe('a clone on a machine with Node and npm only', () => {
  let server: ChildProcess | undefined;
  let printed = '';

  beforeAll(async () => {
    const left = new Set(['.git', 'build', 'dist', 'node_modules', 'test/.cache']);
    cpSync(repository, clone, {
      recursive: true,
      filter: (source) => !left.has(relative(repository, source)),
    });
    await inClone('npm', 'install');

    // A group of processes, since npm does not hand SIGKILL on.
    server = spawn(join(bin, 'npm'), ['start', '--', '--port', '0'], { cwd: clone, env, detached: true });
    for (const stream of [server.stdout, server.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await vi.waitFor(() => expect(printed).toMatch(/Your API key.*hk-/), { timeout: 60_000 });
  }, 600_000);
  afterAll(() => {
    if (server?.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
  });

  it('has no compiler, Python or other tool', async () => {
    const tools = 'python python3 cc gcc c++ g++ clang make cmake git ffmpeg';
    const { stdout } = await inClone('sh', '-c', `for tool in ${tools}; do command -v $tool; done; true`);
    expect(stdout).toBe('');
  });

  it('is installed without a change to the lock', () => {
    const read = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
    expect(read(clone)).toBe(read(repository));
  });

  it('answers by the address and the key that the start prints', async () => {
    const [, baseUrl] = /API: +(\S+)/.exec(printed) ?? [];
    const [key] = /hk-[\w-]+/.exec(printed) ?? [];
    const messages = [{ role: 'user', content: 'What is the capital of France?' }];
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: demoModel, temperature: 0, messages }),
    });
    expect(await response.text()).toContain('Paris');
  });

  it('chats in the terminal', async () => {
    const question = `echo 'What is the capital of France?' | npm run --silent hearth -- chat --temperature 0`;
    expect((await inClone('sh', '-c', question)).stdout).toContain('Paris');
  });

  it('says why it does not transcribe, and doctor says what to do', async () => {
    writeFileSync(join(clone, 'tone.wav'), writeWav(tone(440, 1)));
    const { code, stderr } = await failureOf('transcribe', 'tone.wav');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('not built') });

    const { code: verdict, stdout } = await failureOf('doctor');
    expect(verdict).toBe(1);
    expect(stdout).toContain('install cmake, git and a C++ compiler, then run: npm run build:addons');
    // Nothing but the addons is wrong.
    expect(stdout.match(/!!/g)).toHaveLength(1);
  });
});

// The npm of Node 22, which knows no allowScripts: it reads of a package nothing but what the lock says.
it('npm 10 has node-gyp compile no package of the lock', async () => {
  const tools = join(scratch, 'npm10');
  const project = join(scratch, 'locked');
  mkdirSync(project);
  await run(join(bin, 'npm'), ['install', '--prefix', tools, 'npm@10'], { env });
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; hasInstallScript?: boolean }>;
  };
  const name = 'better-sqlite3';
  const root = { name: 'locked', dependencies: { [name]: lock.packages[`node_modules/${name}`]?.version } };
  const needed = [name, 'node-addon-api'].map((one) => `node_modules/${one}`);
  const packages = { '': root, ...Object.fromEntries(needed.map((path) => [path, lock.packages[path]])) };
  writeFileSync(join(project, 'package.json'), JSON.stringify(root));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ ...lock, ...root, packages }));

  await run(join(tools, 'node_modules/.bin/npm'), ['ci'], { cwd: project, env });
  const script = `new (require('${name}'))(':memory:').exec('SELECT 1')`;
  await run(process.execPath, ['-e', script], { cwd: project, env });
}, 300_000);
