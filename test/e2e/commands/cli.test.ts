import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAccount } from '../../support/server/make-accounts.ts';
import { giveMachineSpeed } from '../../support/server/machine-speed.ts';
import { startServer, type RunningServer } from '../../support/server/start-server.ts';
import { tinyModel } from '../../support/models/tiny-model.ts';

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-cli-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface End {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real command, in a process of its own; it may fail. */
function hearth(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = folder,
): Promise<End> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cliPath, ...args],
      {
        cwd,
        env: { PATH: process.env['PATH'], INIT_CWD: folder, HEARTH_DATA_DIR: join(folder, 'data'), ...env },
      },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

it.each([['plans'], ['--help'], ['audit', '--since', '1d']])(
  'ends without a word where nobody reads what it prints: %s',
  async (...args) => {
    const child = spawn(process.execPath, [cliPath, ...args], {
      env: { PATH: process.env['PATH'], HEARTH_DATA_DIR: join(folder, 'data') },
    });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, stderr]).toEqual([0, '']);
  },
);

describe('a usage error', () => {
  it.each([
    [['modls'], 'unknown command "modls" (did you mean models?)', '--help'],
    [['doctro', '--json'], 'unknown command "doctro" (did you mean doctor?)', '--help'],
    [['list'], '"list" (did you mean models list?)', '--help'],
    [['ls'], '"ls" (did you mean models list?)', '--help'],
    [['show', 'tiny'], '"show" (did you mean models show?)', '--help'],
    [['rm', 'tiny'], '"rm" (did you mean models rm?)', '--help'],
    [['remove', 'tiny'], '"remove" (did you mean models rm?)', '--help'],
    [['pll', 'tiny'], '"pll" (did you mean models pull?)', '--help'],
    [['create', 'tiny'], 'is an entry of hearth.yaml; see also: accounts create', '--help'],
    [['cp', 'a', 'b'], 'is one of its aliases in hearth.yaml', '--help'],
    [['push', 'tiny'], 'models stay on this machine', '--help'],
    [['signin'], 'models stay on this machine', '--help'],
    [['constructor'], 'unknown command "constructor"\n', '--help'],
    [['keys', 'crete'], 'Did you mean create?', 'keys --help'],
    [['keys', 'create'], "required option '--account <name>'", 'keys create --help'],
    [['keys', 'show'], "missing required argument 'id'", 'keys show --help'],
    [['usage', '--sinc', '7d'], 'Did you mean --since?', 'usage --help'],
    [['--prot', '1'], 'Did you mean --port?', 'serve --help'],
  ])('of %j names what was meant and the help of that command', async (args, message, help) => {
    const { code, stdout, stderr } = await hearth(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).toContain(`hearth ${help})`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('is none where a command is called by its other name, or as Ollama calls it', async () => {
    expect(await hearth(['licenses', 'hono'])).toMatchObject({ code: 0, stderr: '' });
    expect((await hearth(['ps'])).stderr).toContain('no server runs on this data folder');
  });
});

describe('a file of settings', () => {
  it.runIf(process.platform === 'linux')('that has no end is refused', async () => {
    const { code, stderr } = await hearth(['keys', 'list', '--config', '/dev/zero']);
    expect(code).toBe(1);
    expect(stderr).toContain('the configuration file /dev/zero has more than 1.0 MB');
  });

  it('that is broken does not keep commands from telling what there is, and keeps others from changing it', async () => {
    const dataDir = join(folder, 'data-of-file');
    makeAccount({ dataDir }, 'ada');
    const own = mkdtempSync(join(folder, 'broken-'));
    writeFileSync(join(own, 'hearth.yaml'), `dataDir: ${dataDir}\ndemoo: false\n`);
    const there = { HEARTH_DATA_DIR: '', INIT_CWD: own };
    const listed = await hearth(['accounts', 'list', '--json'], there, own);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'ada' }]);
    expect(listed.stderr).toContain('hearth.yaml:2: unknown key "demoo"');
    expect(listed.stderr).toContain(dataDir);
    for (const command of [['keys', 'list'], ['usage']])
      expect((await hearth(command, there, own)).code, command.join(' ')).toBe(0);
    const created = await hearth(['keys', 'create', '--account', 'ada'], there, own);
    expect(created).toMatchObject({ code: 1, stdout: '' });
    expect(created.stderr).toContain('unknown key "demoo"');
    const named = await hearth(['keys', 'list', '--config', join(own, 'hearth.yaml')]);
    expect(named.code).toBe(1);
  });
});

describe('words that others wrote', () => {
  // Of a terminal's title, in both encodings, and a turn of the direction of writing.
  const evil = '\u001B]0;owned\u0007\u009D0;owned\u009C\u202Eend';

  it('in names of files and settings change no terminal', async () => {
    const own = mkdtempSync(join(folder, 'evil-'));
    mkdirSync(join(own, 'models'));
    writeFileSync(join(own, 'models', `${evil}.gguf`), 'no model');
    copyFileSync(await tinyModel(), join(own, 'models', `tiny${evil}.gguf`));
    const dataDir = join(own, 'data');
    const there = { INIT_CWD: own, HEARTH_DATA_DIR: dataDir, HEARTH_MODELS_DIR: join(own, 'models') };
    makeAccount({ dataDir }, 'ada');
    await giveMachineSpeed(dataDir);
    // Doctor tries each model in a process of its own.
    writeFileSync(join(own, 'hearth.yaml'), 'demo: false\n');
    const commands = [['models', 'list'], ['models', 'list', '--json'], ['models', 'show', evil], ['doctor'], ['doctor', '--json'], [evil]]; // prettier-ignore
    const ends = await Promise.all(commands.map((command) => hearth(command, there, own)));
    writeFileSync(join(own, 'hearth.yaml'), JSON.stringify({ [evil]: 1 }));
    ends.push(await hearth(['keys', 'list'], there, own));
    for (const [index, { stdout, stderr }] of ends.entries()) {
      expect(stdout + stderr, commands[index]?.join(' ')).not.toMatch(/[^\P{Cc}\n]|\u202E/u);
      expect(stdout + stderr, commands[index]?.join(' ')).toContain('end');
    }
    const { models } = JSON.parse(ends[1]?.stdout ?? '') as { models: { path: string }[] };
    expect(JSON.stringify(models)).toContain(JSON.stringify(evil).slice(1, -1));
  });
});

describe('a data folder that cannot be made', () => {
  it
    .skipIf(process.platform !== 'linux')
    .each([
      [['keys', 'list']],
      [['serve', '--port', '0']],
      [['models', 'pull', 'https://localhost:1/a.gguf']],
    ])('is a clear error of %j, at once', async (command) => {
    const { code, stderr } = await hearth([...command, '--data-dir', '/proc/no-folder']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^hearth: .*\/proc\/no-folder.*\n$/);
  });
});

describe('a table on 80 columns', () => {
  it('has ids whole and tells what is left out', async () => {
    makeAccount({ dataDir: join(folder, 'data') }, 'wide');
    const created = await hearth([
      'keys',
      'create',
      '--account',
      'wide',
      '--name',
      'a long name for a key',
      '--json',
    ]);
    const { id } = JSON.parse(created.stdout) as { id: string };
    for (const args of [
      ['accounts', 'list'],
      ['keys', 'list'],
      ['keys', 'show', id],
      ['plans'],
      ['models', 'list'],
    ]) {
      const { code, stdout } = await hearth(args, { COLUMNS: '80' });
      expect(code).toBe(0);
      for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    }
    const keys = await hearth(['keys', 'list'], { COLUMNS: '80' });
    expect(keys.stdout).toContain(id);
    expect(keys.stderr).toMatch(/^hearth: no room for .*CREATED.* --json everything\n$/);
    expect((await hearth(['keys', 'list'])).stdout).toMatch(/^ID .* EXPIRES\n/);
  });
});

describe('hearth plans and keys show', () => {
  it('tell the limits of each plan, and what a key has left', async () => {
    const plans = await hearth(['plans']);
    expect(plans.stdout).toMatch(/^trial, 30 days +all +requests +60 +- +- +-$/m);
    expect(plans.stdout).toMatch(/^unlimited +all +anything +-/m);
    expect(plans.stdout).not.toContain('ACCOUNT');
    const account =
      '{ tokens: { day: 50000, month: 1000000 }, audioSeconds: { ever: 7200 }, units: { week: 4.5 } }';
    const file = join(folder, 'budgets.yaml');
    writeFileSync(file, `plans: { class: { limits: {}, account: ${account} } }\n`);
    const budgets = await hearth(['plans', '--config', file], { COLUMNS: '80' });
    expect(budgets.stdout).toMatch(/^class +all +anything +-/m);
    expect(budgets.stdout).toContain(
      [
        '',
        '',
        'PLAN   AN ACCOUNT OVER ALL ITS KEYS',
        'class  50,000 tokens per day, 1,000,000 tokens per month, 7,200 audio seconds,',
        '       4.5 units per week',
        '',
      ].join('\n'),
    );
    const json = await hearth(['plans', '--config', file, '--json']);
    expect(JSON.parse(json.stdout)).toContainEqual(
      expect.objectContaining({ name: 'class', account: expect.objectContaining({ units: { week: 4.5 } }) }),
    );
    makeAccount({ dataDir: join(folder, 'data') }, 'shown', 'standard');
    const created = await hearth(['keys', 'create', '--account', 'shown', '--json']);
    const { id, secret } = JSON.parse(created.stdout) as { id: string; secret: string };
    const { stdout } = await hearth(['keys', 'show', id]);
    expect(stdout).toMatch(/^plan +standard$/m);
    expect(stdout).toMatch(/^any other +requests +600 +600 per minute +-$/m);
    expect(stdout).not.toContain(secret);
    const shown = JSON.parse((await hearth(['keys', 'show', id, '--json'])).stdout) as {
      allowances: object[];
    };
    expect(shown.allowances).toHaveLength(6);
  });
});

describe('doctor', () => {
  it('fails where something is wrong, lists skipped files and folders without models', async () => {
    const models = join(folder, 'models');
    mkdirSync(models);
    writeFileSync(join(models, 'cut.gguf'), readFileSync(await tinyModel()).subarray(0, 20_000));
    const missing = join(folder, 'missing');
    await giveMachineSpeed(join(folder, 'data'));
    const { code, stdout } = await hearth(['doctor', '--models-dir', models, '--models-dir', missing]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^file +!! +.*cut\.gguf: skipped: .*cut short/m);
    expect(stdout).toContain(`${missing}: it does not exist`);
    expect(stdout).toContain(`${models}: there is no model in it`);
    for (const demo of ['', '-ears', '-voice'])
      expect(stdout).toMatch(new RegExp(`^hearth-demo${demo} +ok +.*loadable; about`, 'm'));
    expect(stdout).toMatch(
      /^models +ok +only the demo; get a real one: \S+\/hearth models pull \S+ --data-dir \S+$/m,
    );
  });
});

describe('models pull without a name', () => {
  const dataDir = () => join(folder, 'measured');
  const listed = async () =>
    JSON.parse((await hearth(['models', 'pull', '--json', '--data-dir', dataDir()])).stdout) as {
      machine: { cores: number; memoryBytesPerSecond: number };
      suggested: string;
      models: readonly { id: string; kind: string; tokensPerSecond: number | null }[];
    };

  it('measures the machine once and says how fast each model is about to be', async () => {
    const { machine, suggested, models } = await listed();
    expect(machine.cores).toBeGreaterThan(0);
    // No machine that runs this reads memory more slowly or faster than so.
    expect(machine.memoryBytesPerSecond).toBeGreaterThan(1e8);
    expect(machine.memoryBytesPerSecond).toBeLessThan(5e12);
    expect(models.find(({ id }) => id === suggested)?.tokensPerSecond).toBeGreaterThan(0);
    expect(models.filter(({ kind }) => kind === 'embedding').length).toBeGreaterThan(0);

    // The measured speed is kept, and counts: another speed makes other expectations.
    const file = join(dataDir(), 'machine.json');
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { machine: string; memoryBytesPerSecond: number };
    expect(kept.memoryBytesPerSecond).toBe(machine.memoryBytesPerSecond);
    writeFileSync(file, JSON.stringify({ ...kept, memoryBytesPerSecond: 1e8 }));
    const slower = await listed();
    const speedOf = (list: typeof models) => list.find(({ id }) => id === suggested)?.tokensPerSecond ?? 0;
    expect(slower.machine.memoryBytesPerSecond).toBe(1e8);
    expect(speedOf(slower.models)).toBeLessThan(speedOf(models));
  });
});

// Many commands, each a process of its own that starts: on a busy machine seconds each.
describe('accounts rm', { timeout: 180_000 }, () => {
  let server: RunningServer;
  beforeAll(async () => {
    const dataDir = join(folder, 'served');
    mkdirSync(dataDir);
    server = await startServer({ modelsDirs: [join(folder, 'nowhere')], dataDir });
  });
  afterAll(() => server.stop());
  const env = () => ({ HEARTH_DATA_DIR: server.dataDir });

  it('warned at its start of the models folder that is not there', async () => {
    const warning = `nothing is served from the models folder ${join(folder, 'nowhere')}`;
    await expect.poll(() => server.stderr()).toContain(warning);
  });

  it('takes the keys away for the next request, and keeps what was used', async () => {
    makeAccount(server, 'leaver');
    const created = await hearth(['keys', 'create', '--account', 'leaver', '--json'], env());
    const { secret, accountId } = JSON.parse(created.stdout) as { secret: string; accountId: string };
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'hearth-demo', input: 'Hello', store: true, max_output_tokens: 16 });
    const answer = await fetch(`${server.baseUrl}/responses`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);

    const asked = await hearth(['accounts', 'rm', 'leaver'], env());
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('add --yes') as string });
    expect((await fetch(`${server.baseUrl}/models`, { headers })).status).toBe(200);

    const removed = await hearth(['accounts', 'rm', 'leaver', '--yes'], env());
    expect(removed.stdout).toContain('1 key revoked, 1 stored response deleted');
    expect((await fetch(`${server.baseUrl}/models`, { headers })).status).toBe(401);
    const usage = await hearth(
      ['usage', '--account', accountId, '--by', 'account', '--since', '2026-01-01'],
      env(),
    );
    expect(usage.stdout).toMatch(new RegExp(`leaver \\(removed, ${accountId}\\) +1 `));
    const csv = await hearth(['usage', '--by', 'key', '--since', '2026-01-01', '--csv'], env());
    const [titles, line] = csv.stdout.split('\n').filter((one) => /^group|leaver/.test(one));
    // New columns come after the ones that programs already read by their place.
    expect(titles).toMatch(
      /^group,label,requests,refunded_requests,refused_requests,prompt_tokens,.*,audio_seconds(,|$)/,
    );
    expect(line).toMatch(/^\w+,"leaver.*: .*",1,0,0,\d+,/);
    // The name is free again.
    expect((await hearth(['accounts', 'create', 'leaver'], env())).code).toBe(0);
    expect((await hearth(['keys', 'list', '--account', 'leaver', '--json'], env())).stdout).toBe('[]\n');
  });
});

describe('a mistake in the configuration', () => {
  it('is one line without a stack', async () => {
    const file = join(folder, 'hearth.yaml');
    writeFileSync(file, 'qeueLimit: 3\n');
    appendFileSync(file, 'port: 1\n');
    const { code, stderr } = await hearth(['plans', '--config', file]);
    rmSync(file);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^hearth: hearth\.yaml:1: unknown key "qeueLimit".*\n$/);
  });
});
