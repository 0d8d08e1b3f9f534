import { execFile, spawn, type ChildProcess } from 'node:child_process';
import {
  appendFileSync,
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
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findAddon } from '../../../src/engine/addons/addon.ts';
import { packedAddonFile } from '../../../src/engine/addons/packed-addon.ts';
import { levelsOf, thisMachine } from '../../../src/engine/addons/processor-levels.ts';
import { mtmdAddon, stepperAddon } from '../../../src/engine/llama/native/builds/stepper-addon.ts';
import { whisperAddon } from '../../../src/engine/whisper/addon/addon-file.ts';
import { colours, disc, drawing, toDataUrl } from '../../support/pictures/drawings.ts';
import { demoModel } from '../../support/server/demo-server.ts';
import { oldNode, oldNpm, oldReleases } from '../../support/server/old-node.ts';

const run = promisify(execFile);
const repository = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'hearth-bare-'));
const clone = join(scratch, 'hearth');
const home = join(scratch, 'home');
const bin = join(scratch, 'bin');
const addons = [stepperAddon, mtmdAddon, whisperAddon];
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

/** Doctor's finding about the addons. Something else may be wrong, which its exit code says. */
async function addonsOfDoctor(): Promise<unknown> {
  const { stdout } = await hearth('doctor', '--json').catch((error: { stdout: string }) => error);
  return (JSON.parse(stdout) as { subject: string }[]).find(({ subject }) => subject === 'addons');
}

/** The abilities that `hearth models list` names, by model. */
async function abilities(): Promise<Record<string, unknown>> {
  const { models } = JSON.parse((await hearth('models', 'list', '--json')).stdout) as {
    models: { id: string; capabilities: unknown }[];
  };
  return Object.fromEntries(models.map(({ id, capabilities }) => [id, capabilities]));
}

/**
 * Gives the clone each addon of these sources, compressed. Between releases those that it has may be of other sources:
 * then it gets those that this checkout has compiled.
 */
function completePackedAddons(): void {
  const [level = ''] = levelsOf(thisMachine());
  for (const addon of addons) {
    const inTheClone = (name: string) =>
      join(clone, relative(repository, packedAddonFile(addon, process.arch, name)));
    if (levelsOf(thisMachine()).some((name) => existsSync(inTheClone(name)))) continue;
    const file = findAddon(addon);
    if (file === undefined) throw new Error(`${addon.name} is not built: run npm run build:addons`);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
    mkdirSync(dirname(inTheClone(level)), { recursive: true });
    writeFileSync(inTheClone(level), brotliCompressSync(readFileSync(file), { params }));
  }
}

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
    completePackedAddons();
    await inClone('npm', 'install');

    // A group of processes, since npm does not hand SIGKILL on.
    server = spawn(join(bin, 'npm'), ['start', '--', '--port', '0'], { cwd: clone, env, detached: true });
    for (const stream of [server.stdout, server.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    await vi.waitFor(() => expect(printed).toMatch(/Your API key.*hk-/), { timeout: 60_000 });
  }, 600_000);
  const stopServer = (): void => {
    if (server?.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
    server = undefined;
  };
  afterAll(stopServer);

  async function answerTo(content: unknown): Promise<string> {
    const [, baseUrl] = /API: +(\S+)/.exec(printed) ?? [];
    const [key] = /hk-[\w-]+/.exec(printed) ?? [];
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: demoModel, temperature: 0, messages: [{ role: 'user', content }] }),
    });
    return response.text();
  }

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
    expect(await answerTo('What is the capital of France?')).toContain('Paris');
  });

  it('chats in the terminal', async () => {
    const question = `echo 'What is the capital of France?' | npm run --silent hearth -- chat --temperature 0`;
    expect((await inClone('sh', '-c', question)).stdout).toContain('Paris');
  });

  it('sees, speaks and hears, and says so', { timeout: 240_000 }, async () => {
    const picture = toDataUrl(drawing(disc(colours.red, [0.5, 0.5], 0.25)));
    const content = [
      { type: 'text', text: 'What is in the picture?' },
      { type: 'image_url', image_url: { url: picture } },
    ];
    expect(await answerTo(content)).toContain('red');

    await hearth('say', 'Hello', '--output', 'hello.wav');
    expect((await hearth('transcribe', 'hello.wav')).stdout.trim()).not.toBe('');
    expect(await addonsOfDoctor()).toMatchObject({ ok: true, finding: 'for speech and chat, prebuilt' });
    expect(await abilities()).toMatchObject({
      [demoModel]: { image: true },
      'hearth-demo-ears': { audio: true },
    });
  });

  it('compiles addons whose sources changed, or lists no ability of them', { timeout: 240_000 }, async () => {
    stopServer();
    for (const { sourceDir } of addons)
      appendFileSync(join(clone, sourceDir, 'CMakeLists.txt'), '# Another.\n');
    const { stdout, stderr } = await inClone('npm', 'run', '--silent', 'build:addons', '--', '--optional');
    expect(stdout.match(/ is compiled: the clone has it prebuilt of other sources only/g)).toHaveLength(3);
    expect(stderr).toContain('install cmake, git and a C++ compiler, then run: npm run build:addons');

    expect(await addonsOfDoctor()).toMatchObject({
      ok: false,
      remedy: 'install cmake, git and a C++ compiler, then run: npm run build:addons',
    });
    const failed = await hearth('transcribe', 'hello.wav').catch((error: { stderr: string }) => error);
    expect(failed.stderr).toContain('not built');
    expect(await abilities()).toMatchObject({
      [demoModel]: { image: false },
      'hearth-demo-ears': { audio: false },
    });
  });

  it('runs the tests without them, and says which it leaves out', { timeout: 240_000 }, async () => {
    const files = ['media/recordings', 'demo/sight', 'demo/ears'].map((name) => `test/e2e/${name}.test.ts`);
    files.push('test/unit/engine/llama/drafts/draft-draws.test.ts', 'test/e2e/server/stalled-folder.test.ts');
    const { stdout, stderr } = await inClone('npm', 'run', '--silent', 'test:only', '--', ...files);
    expect(stdout + stderr).toMatch(/speech is not tested: .*not built/);
    expect(stdout + stderr).toMatch(/draws within steps are not tested: the stepper is not built/);
    expect(stdout + stderr).toMatch(/pictures and voices are not tested: not built: \w+/);
    expect(stdout).toMatch(/Test Files .*5 skipped/);
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
it.concurrent.each(oldReleases)(
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
