import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src/store/database.ts';
import { migrations } from '../../../src/store/migrations.ts';
import { openStore } from '../../../src/store/store.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hearth-database-'));
  file = path.join(folder, 'data', 'hearth.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('makes its folder and files for their owner only', () => {
  const store = openStore(file);
  store.immediate(() => store.accounts.setPlan('nobody', 'x', 0));
  for (const name of readdirSync(path.dirname(file))) {
    expect(statSync(path.join(path.dirname(file), name)).mode & 0o777, name).toBe(0o600);
  }
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  store.close();
});

it('is set up as the rest relies on', () => {
  const { connection } = openDatabase(file);
  const pragma = (name: string) => connection.pragma(name, { simple: true });
  expect(pragma('busy_timeout')).toBe(5000);
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('synchronous')).toBe(1);
  expect(pragma('foreign_keys')).toBe(1);
  expect(pragma('user_version')).toBe(migrations.length);
  const tables = connection
    .prepare("SELECT name, strict FROM pragma_table_list WHERE schema = 'main'")
    .all() as {
    name: string;
    strict: number;
  }[];
  expect(tables.filter(({ name }) => !name.startsWith('sqlite_')).every(({ strict }) => strict === 1)).toBe(
    true,
  );
  connection.close();
});

it('keeps what is there when it is opened again', () => {
  const row = { id: 'acct_1', name: 'a', plan: 'trial', planSetAtMs: 1, createdAtMs: 1, webhook: null };
  const first = openStore(file);
  first.accounts.insert(row);
  const second = openStore(file);
  expect(second.accounts.list()).toEqual([row]);
  first.close();
  second.close();
});

it('refuses a database of a newer version, unchanged', () => {
  const { connection } = openDatabase(file);
  connection.pragma(`user_version = ${migrations.length + 1}`);
  connection.close();
  expect(() => openStore(file)).toThrow(/newer hearth/);
});

it('says what is wrong with a file that is no database', () => {
  openDatabase(file).connection.close();
  writeFileSync(file, 'this is not a database, whatever its name says'.repeat(100));
  expect(() => openStore(file)).toThrow(
    expect.objectContaining({
      name: 'StoreError',
      message: expect.stringContaining(file),
      hint: expect.stringContaining('--data-dir'),
    }),
  );
});

it('commits a transaction as a whole or not at all', () => {
  const store = openStore(file);
  const insert = (name: string) =>
    store.accounts.insert({ id: `acct_${name}`, name, plan: 'trial', planSetAtMs: 0, createdAtMs: 0 });
  expect(() =>
    store.immediate(() => {
      insert('a');
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(store.accounts.list()).toEqual([]);
  expect(store.immediate(() => insert('b'))).toBe(true);
  expect(store.accounts.list()).toHaveLength(1);
  store.close();
});

it('finds nothing wrong with itself', () => {
  const store = openStore(file);
  expect(store.integrityProblems()).toEqual([]);
  store.close();
});

it('waits for another program without standing still, and no longer than it is told', async () => {
  const store = openStore(file);
  store.serve();
  const other = new Sqlite(file);
  other.exec('BEGIN IMMEDIATE');
  const startedAtMs = performance.now();
  await expect(store.whenUnlocked(0)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  const waits = Array.from({ length: 1000 }, () => store.whenUnlocked(60_000));
  expect(() => store.immediate(() => undefined)).toThrow('database is locked');
  // A statement used to stand still for 5 s.
  expect(performance.now() - startedAtMs).toBeLessThan(4000);
  other.exec('ROLLBACK');
  await Promise.all(waits);
  expect(store.immediate(() => 1)).toBe(1);
  other.close();
  store.close();
});
