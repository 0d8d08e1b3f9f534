import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAddon, prebuiltAddonFile } from '../../../src/engine/addons/addon.ts';
import { levelsOf, thisMachine } from '../../../src/engine/addons/processor-levels.ts';
import { mtmdAddon, stepperAddon } from '../../../src/engine/llama/native/builds/stepper-addon.ts';
import { whisperAddon } from '../../../src/engine/whisper/addon/addon-file.ts';
import { openClient } from '../../support/server/chat-client.ts';
import { demoModel } from '../../support/server/demo-server.ts';
import { canTranscribe, demoSpeech } from '../../support/models/demo-speech.ts';
import { giveMachineSpeed } from '../../support/server/machine-speed.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tone, writeWav } from '../../support/audio/wav.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'hearth-package-'));
const installed = join(scratch, 'node_modules/hearth');
const addons = [stepperAddon, mtmdAddon, whisperAddon];
/** Of the addons that a release has for this machine; undefined: it has none. */
const [level] = levelsOf(thisMachine());
const run = promisify(execFile);
const npm = async (...args: string[]) =>
  (await run('npm', args, { cwd: repository, timeout: 120_000 })).stdout;
afterAll(() => rmSync(scratch, { recursive: true }));

/** The package of a release; without it one is made of this build. */
const released = process.env['HEARTH_PACKAGE'];

/** An environment in which a compiler is not found, nor any other tool. */
const withoutCompilers = { PATH: scratch };

async function pack(): Promise<string> {
  // `npm test` has built it just now.
  if (!existsSync(join(repository, 'dist/cli.js'))) await npm('run', 'build');
  await npm('pack', '--ignore-scripts', `--pack-destination=${scratch}`);
  const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm packed nothing');
  return join(scratch, tarball);
}

/**
 * Puts the addons of this checkout where a release has them. The package finds them by a hash of its own copy of their
 * sources, so that none of these may be missing or another. Where releases have none for this machine it compiles them.
 */
async function giveAddons(): Promise<void> {
  if (level === undefined) {
    await run(process.execPath, [join(installed, 'scripts/build/addons.mjs')]);
    return;
  }
  for (const addon of addons) {
    const own = findAddon(addon);
    if (own === undefined) throw new Error(`${addon.name} is not built: run npm run build:addons`);
    const file = join(installed, relative(repository, prebuiltAddonFile(addon, process.arch, level)));
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(own, file);
  }
}

/**
 * A project whose lock has the packages of ours that users get, of which npm's cache has all: it must not ask the
 * registry, which may not answer for minutes.
 */
function lockPackage(tarball: string): void {
  const lock = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const { '': own, ...others } = lock.packages;
  const project = { name: 'project', dependencies: { hearth: `file:${tarball}` } };
  const packages = {
    '': project,
    'node_modules/hearth': { ...own, resolved: `file:${tarball}` },
    ...Object.fromEntries(Object.entries(others).filter(([, { dev }]) => dev !== true)),
  };
  writeFileSync(join(scratch, 'package.json'), JSON.stringify(project));
  writeFileSync(join(scratch, 'package-lock.json'), JSON.stringify({ ...lock, ...project, packages }));
}

/** Whether npm reaches its registry: packages come from its cache, but the list of their versions from the registry. */
async function hasRegistry(): Promise<boolean> {
  try {
    await npm('view', 'uqr', 'version', '--fetch-retries=0', '--fetch-timeout=5000');
    return true;
  } catch {
    console.warn('the package is not tested: npm does not reach its registry');
    return false;
  }
}

/** The tree's size on disk, in bytes of its files. */
function sizeOf(path: string): number {
  const facts = lstatSync(path);
  if (!facts.isDirectory()) return facts.size;
  return readdirSync(path).reduce((total, name) => total + sizeOf(join(path, name)), 0);
}

describe.runIf(await hasRegistry())('the package, installed without scripts into an empty folder', () => {
  let server: RunningServer | undefined;

  beforeAll(async () => {
    const flags = [`--prefix=${scratch}`, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    if (released === undefined) {
      lockPackage(await pack());
      await npm('ci', '--omit=dev', ...flags);
    } else await npm('install', ...flags, released);

    const modelsDir = join(scratch, 'models');
    mkdirSync(modelsDir);
    if (canTranscribe) {
      if (released === undefined) await giveAddons();
      copyFileSync(await demoSpeech(), join(modelsDir, 'ears.bin'));
    }
    const program = join(installed, 'dist/cli.js');
    server = await startServer({ modelsDirs: [modelsDir], program, env: withoutCompilers });
  }, 300_000);
  afterAll(async () => void (await server?.stop()));

  const client = () => {
    if (server === undefined) throw new Error('the server did not start');
    return openClient(server);
  };

  it('takes less than 250 MB', () => {
    expect(sizeOf(join(scratch, 'node_modules'))).toBeLessThan(250e6);
  });

  it.runIf(canTranscribe && level !== undefined)('needs no compiler for its addons', async () => {
    const script = join(installed, 'scripts/build/addons.mjs');
    const { stdout } = await run(process.execPath, [script, '--optional'], { env: withoutCompilers });
    expect(stdout.split('\n').filter((line) => line.includes('/dist/prebuilt/linux-'))).toHaveLength(
      addons.length,
    );

    await giveMachineSpeed(join(scratch, 'data'));
    // Something else may be wrong, and its exit code says so.
    const program = join(installed, 'dist/cli.js');
    const flags = ['doctor', '--json', '--data-dir', join(scratch, 'data'), '--models-dir', scratch];
    const { stdout: told } = await run(process.execPath, [program, ...flags], {
      env: withoutCompilers,
    }).catch((error: { stdout: string }) => error);
    const findings = JSON.parse(told) as { subject: string }[];
    expect(findings.find(({ subject }) => subject === 'addons')).toEqual({
      subject: 'addons',
      ok: true,
      finding: 'for speech and chat, prebuilt',
    });
  });

  it('answers', async () => {
    const { choices } = await client().chat.completions.create({
      model: demoModel,
      messages: [{ role: 'user', content: 'What is the capital of France?' }],
      temperature: 0,
    });
    expect(choices[0]?.message.content).toContain('Paris');
    if (canTranscribe) expect(server?.stderr()).not.toContain('stepper');
  });

  it.runIf(canTranscribe)('transcribes', async () => {
    const file = await toFile(writeWav(tone(440, 12)), 'tone.wav');
    const { text } = await client().audio.transcriptions.create({ file, model: 'ears' });
    expect(text).toBe('The quick brown fox jumped over the lazy dog.');
  });
});
