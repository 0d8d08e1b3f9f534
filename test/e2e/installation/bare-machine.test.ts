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
import { oldNode, oldNpm, oldReleases } from '../../support/server/old-node.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'hearth-bare-'));
const clone = join(scratch, 'hearth');
const home = join(scratch, 'home');
const bin = join(scratch, 'bin');
afterAll(() => rmSync(scratch, { recursive: true }), 300_000);

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

/** A machine with an empty home folder on which nothing is found but an old Node, its npm and a shell. */
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

const [oldest] = oldReleases;

beforeAll(async () => {
  for (const folder of [home, bin]) mkdirSync(folder);
  for (const name of ['sh', 'env']) symlinkSync(commandOfMachine(name), join(bin, name));
  symlinkSync(await oldNode(oldest.node), join(bin, 'node'));
  symlinkSync(await oldNpm(oldest.npm), join(bin, 'npm'));
}, 120_000);

describe(`a clone on a machine with Node ${oldest.node} and its npm only`, () => {
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

/** A project with some packages, whose lock is that part of ours which `isNeeded` names. */
function lockedProject(folder: string, names: readonly string[], isNeeded: RegExp): string {
  const project = join(scratch, folder);
  mkdirSync(project);
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>;
  };
  const dependencies = Object.fromEntries(
    names.map((name) => [name, lock.packages[`node_modules/${name}`]?.version]),
  );
  const root = { name: 'locked', dependencies };
  const needed = Object.entries(lock.packages).filter(([path]) => isNeeded.test(path));
  const packages = { '': root, ...Object.fromEntries(needed) };
  writeFileSync(join(project, 'package.json'), JSON.stringify(root));
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ ...lock, ...root, packages }));
  return project;
}

// npm 10 knows no allowScripts, and leaves out optional packages that want another Node than the one it runs on.
it.each(oldReleases)(
  'npm $npm on Node $node compiles no package of the lock, and leaves out no binary',
  async ({ node, npm }) => {
    const names = ['better-sqlite3', 'oxlint', 'oxfmt'];
    const isNeeded = /^node_modules\/(?:better-sqlite3|node-addon-api|tinypool|@?ox(?:lint|fmt)(?:\/.*)?)$/;
    const project = lockedProject(`locked-${node}`, names, isNeeded);
    await run(await oldNode(node), [await oldNpm(npm), 'ci'], { cwd: project, env });

    const script = `new (require('better-sqlite3'))(':memory:').exec('SELECT 1')`;
    await run(process.execPath, ['-e', script], { cwd: project, env });
    for (const name of ['oxlint', 'oxfmt'])
      await run(process.execPath, [join('node_modules/.bin', name), '--version'], { cwd: project, env });
  },
  300_000,
);
