import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openClient } from '../support/chat-client.ts';
import { demoModel } from '../support/demo-server.ts';
import { canTranscribe, demoSpeech } from '../support/demo-speech.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';
import { tone, writeWav } from '../support/wav.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'hearth-package-'));
const installed = join(scratch, 'node_modules/hearth');
const run = promisify(execFile);
const npm = async (...args: string[]) =>
  (await run('npm', args, { cwd: repository, timeout: 120_000 })).stdout;
afterAll(() => rmSync(scratch, { recursive: true }));

/** What is installed comes from npm's cache, but which packages there are is told by the registry. */
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
    // `npm test` has built it just now.
    if (!existsSync(join(repository, 'dist/cli.js'))) await npm('run', 'build');
    await npm('pack', '--ignore-scripts', `--pack-destination=${scratch}`);
    const tarball = readdirSync(scratch).find((name) => name.endsWith('.tgz'));
    if (tarball === undefined) throw new Error('npm packed nothing');
    const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
    await npm('install', `--prefix=${scratch}`, ...flags, join(scratch, tarball));

    const modelsDir = join(scratch, 'models');
    mkdirSync(modelsDir);
    if (canTranscribe) {
      await run(process.execPath, [join(installed, 'scripts/build-addons.mjs')]);
      copyFileSync(await demoSpeech(), join(modelsDir, 'ears.bin'));
    }
    server = await startServer({ modelsDirs: [modelsDir], program: join(installed, 'dist/cli.js') });
  }, 300_000);
  afterAll(async () => void (await server?.stop()));

  const client = () => {
    if (server === undefined) throw new Error('the server did not start');
    return openClient(server);
  };

  it('takes less than 250 MB', () => {
    expect(sizeOf(join(scratch, 'node_modules'))).toBeLessThan(250e6);
  });

  it('answers', async () => {
    const { choices } = await client().chat.completions.create({
      model: demoModel,
      messages: [{ role: 'user', content: 'What is the capital of France?' }],
      temperature: 0,
    });
    expect(choices[0]?.message.content).toContain('Paris');
  });

  it.runIf(canTranscribe)('transcribes', async () => {
    const file = await toFile(writeWav(tone(440, 12)), 'tone.wav');
    const { text } = await client().audio.transcriptions.create({ file, model: 'ears' });
    expect(text).toBe('The quick brown fox jumped over the lazy dog.');
  });
});
