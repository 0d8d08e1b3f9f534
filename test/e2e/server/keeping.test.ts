import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBackups, runUpgrade } from '../../../scripts/load/limits/keeping.ts';
import { restoreBackup } from '../../../src/backup/restore-backup.ts';
import { CliError } from '../../../src/errors/operator-errors.ts';
import { hearthProcess } from '../../support/server/hearth-process.ts';
import { writeOldDatabase } from '../../unit/store/old-database.ts';
import { startServer } from '../../support/server/start-server.ts';

let folder: string;
let dataDir: string;
let backup: string;
const hearth = (...args: readonly string[]) => hearthProcess(folder, args, { HEARTH_DATA_DIR: dataDir });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-backup-'));
  dataDir = join(folder, 'data');
  backup = join(folder, 'hearth.tar');
  writeFileSync(join(folder, 'hearth.yaml'), 'demo: true\nplans: { mine: { limits: {} } }\n');
  expect(await hearth('accounts', 'create', 'ada', '--plan', 'mine')).toMatchObject({ code: 0 });
  mkdirSync(join(dataDir, 'tls'));
  writeFileSync(join(dataDir, 'tls', 'key.pem'), 'a key');
  mkdirSync(join(dataDir, 'voices'));
  writeFileSync(join(dataDir, 'voices', 'ada.wav'), 'a voice');
  writeFileSync(join(dataDir, 'voices', 'Not uploaded.wav'), 'another');
  const pulled = join(dataDir, 'models', 'Ada', 'small');
  mkdirSync(pulled, { recursive: true });
  const record = { sources: ['hf:Ada/small:q8_0'], id: 'tiny', origin: 'https://x.example/a', files: [] };
  writeFileSync(join(pulled, '.small.gguf.pull.json'), JSON.stringify(record));
  expect(await hearth('backup', 'hearth.tar')).toMatchObject({ code: 0, stderr: '' });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('restore', () => {
  it('brings back accounts, settings and certificate elsewhere, and says which models to pull', async () => {
    const target = join(folder, 'elsewhere');
    const { code, stdout } = await hearth('restore', 'hearth.tar', '--data-dir', target);
    expect(code).toBe(0);
    expect(stdout).toContain('models pull hf:Ada/small:q8_0 --id tiny');
    expect(stdout).toContain(join(target, 'hearth.yaml'));
    const accounts = await hearth('accounts', 'list', '--json', '--data-dir', target);
    expect(JSON.parse(accounts.stdout)).toMatchObject([{ name: 'ada', plan: 'mine' }]);
    expect(readFileSync(join(target, 'tls', 'key.pem'), 'utf8')).toBe('a key');
    expect(readFileSync(join(target, 'voices', 'ada.wav'), 'utf8')).toBe('a voice');
    for (const name of ['hearth.db', 'hearth.yaml', 'tls/key.pem', 'voices/ada.wav'])
      expect(statSync(join(target, name)).mode & 0o777, name).toBe(0o600);
  });

  it('writes nothing of the archive to a terminal that would change it', async () => {
    const bytes = edited(readFileSync(backup), 'hf:Ada/small:q8_0', String.raw`hf:A\u001b[J:q8_0`);
    writeFileSync(join(folder, 'coloured.tar'), bytes);
    const { code, stdout } = await hearth('restore', 'coloured.tar', '--data-dir', join(folder, 'coloured'));
    expect(code).toBe(0);
    expect(stdout).toContain('hf:A\uFFFD[J:q8_0');
  });

  it('touches a folder that is in use only with --force, and keeps what was there', async () => {
    const target = join(folder, 'used');
    await hearth('accounts', 'create', 'before', '--data-dir', target);
    const refused = await hearth('restore', 'hearth.tar', '--data-dir', target);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/is in use: it has hearth\.db.*--force/);
    const forced = await hearth('restore', 'hearth.tar', '--data-dir', target, '--force', '--json');
    const { replaced } = JSON.parse(forced.stdout) as { replaced: string };
    const kept = await hearth('accounts', 'list', '--json', '--data-dir', replaced);
    expect(JSON.parse(kept.stdout)).toMatchObject([{ name: 'before' }]);
    const now = await hearth('accounts', 'list', '--json', '--data-dir', target);
    expect(JSON.parse(now.stdout)).toMatchObject([{ name: 'ada' }]);
  });

  it('does nothing while a server runs on the folder, which can be backed up meanwhile', async () => {
    const server = await startServer({ modelsDirs: [], config: { demo: false } });
    try {
      const refused = await hearth('restore', 'hearth.tar', '--force', '--data-dir', server.dataDir);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain(`a hearth serves from ${server.dataDir}`);
      const served = await hearth('backup', 'served.tar', '--json', '--data-dir', server.dataDir);
      expect(JSON.parse(served.stdout)).toMatchObject({ accounts: 1, keys: 1 });
    } finally {
      await server.stop();
    }
  });

  it.each([
    ['a byte was changed', damagedIn(4096 * 3), 'hearth.db in it is not what was written'],
    ['the end is missing', (bytes: Buffer) => bytes.subarray(0, 30_000), 'its end is missing'],
    ['the head is damaged', damagedIn(2), 'bad.tar is no backup, or is damaged at its beginning'],
    ['it is another file', () => Buffer.from('hello'), 'bad.tar is no backup'],
    ['it is empty', () => Buffer.alloc(0), 'bad.tar is no backup'],
    ['its format is newer', (bytes: Buffer) => edited(bytes, '"format": 1', '"format": 2'), 'newer hearth'],
    ['its schema is newer', (bytes: Buffer) => edited(bytes, '"schema": ', '"schema":9'), 'newer hearth'],
    [
      'it would write elsewhere',
      (bytes: Buffer) => edited(bytes, '"name": "tls/key.pem"', '"name": "../evil.pem"'),
      'is damaged: backup.json.files[2].name: is no file of a backup',
    ],
  ])('refuses a backup where %s, and changes nothing', (_, change, message) => {
    const target = join(folder, 'untouched');
    const bad = join(folder, 'bad.tar');
    writeFileSync(bad, change(readFileSync(backup)));
    const config = { dataDir: target, databaseFile: join(target, 'hearth.db') };
    let refusal: unknown;
    try {
      restoreBackup(config, bad, { overwrite: false, nowMs: Date.now() });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(CliError);
    expect(String(refusal)).toContain(message);
    expect(readdirSync(folder)).not.toContain('untouched');
  });

  it('refuses a backup that is missing', async () => {
    const { code, stdout, stderr } = await hearth('restore', 'none.tar');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
    expect(stderr).toContain(`the backup ${join(folder, 'none.tar')} cannot be read: ENOENT`);
  });
});

describe('backup', () => {
  it('can be read by its owner only, and by tar', () => {
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    const names = execFileSync('tar', ['-tf', backup], { encoding: 'utf8' }).trim().split('\n');
    expect(names).toEqual(['backup.json', 'hearth.db', 'hearth.yaml', 'tls/key.pem', 'voices/ada.wav']);
    expect(readdirSync(folder).filter((name) => name.startsWith('.hearth-backup'))).toEqual([]);
  });

  it('replaces a file with --force only, and leaves the settings out with --no-settings', async () => {
    const before = readFileSync(backup);
    const refused = await hearth('backup', 'hearth.tar');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('exists already');
    expect(readFileSync(backup)).toEqual(before);
    writeFileSync(join(folder, 'other.tar'), 'something else');
    const forced = await hearth('backup', 'other.tar', '--force', '--no-settings', '--json');
    expect(JSON.parse(forced.stdout)).toMatchObject({
      settingsFrom: null,
      files: ['hearth.db', 'tls/key.pem', 'voices/ada.wav'],
    });
  });

  it.each([
    ['missing/hearth.tar', 'cannot be written: ENOENT'],
    ['data', 'is a folder'],
  ])('of %s says what is wrong', async (target, message) => {
    const { code, stdout, stderr } = await hearth('backup', target);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(message);
  });

  it('refuses a folder without a database and a damaged database', async () => {
    const empty = await hearth('backup', 'x.tar', '--data-dir', join(folder, 'empty'));
    expect(empty.stderr).toContain('there is no database');
    const damaged = join(folder, 'damaged');
    await hearth('accounts', 'create', 'ada', '--data-dir', damaged);
    new Sqlite(join(damaged, 'hearth.db')).pragma('wal_checkpoint(TRUNCATE)');
    const descriptor = openSync(join(damaged, 'hearth.db'), 'r+');
    writeSync(descriptor, Buffer.alloc(8192, 0xa5), 0, 8192, 4096);
    closeSync(descriptor);
    const { code, stderr } = await hearth('backup', 'x.tar', '--data-dir', damaged);
    expect(code).toBe(1);
    expect(stderr).toMatch(/malformed|damaged/);
    expect(readdirSync(folder)).not.toContain('x.tar');
  });
});

it('a server that starts on an older database says where its copy is', async () => {
  const older = join(folder, 'older');
  mkdirSync(older);
  writeOldDatabase(join(older, 'hearth.db'), 3);
  const server = await startServer({ modelsDirs: [], dataDir: older, config: { demo: false } });
  await server.stop();
  expect(server.stderr()).toContain(
    `migrated the database; what it was before lies in ${join(older, 'hearth.db.v3.bak')}`,
  );
});

it(
  'a backup that is written under load and restored has every answer and equal books',
  { timeout: 120_000 },
  async () => {
    const { answered, backups, problems } = await runBackups({ clients: 16, loadMs: 1000 }, 1);
    expect(problems).toEqual([]);
    expect(answered).toBeGreaterThan(20);
    expect(backups).toHaveLength(1);
  },
);

it('an older database is migrated under load without a lost answer', { timeout: 120_000 }, async () => {
  const { answeredBefore, answered, problems } = await runUpgrade({ clients: 16, loadMs: 500 });
  expect(problems).toEqual([]);
  expect(answeredBefore).toBeGreaterThan(20);
  expect(answered).toBeGreaterThan(answeredBefore);
});

/** A change of one byte. */
function damagedIn(position: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] ?? 0) ^ 0xff;
    return changed;
  };
}

/** The archive with another text of the same length in its manifest. */
function edited(bytes: Buffer, from: string, to: string): Buffer {
  const at = bytes.indexOf(from);
  expect(at).toBeGreaterThan(0);
  const changed = Buffer.from(bytes);
  changed.write(to, at, 'utf8');
  return changed;
}
