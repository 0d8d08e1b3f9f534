import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { packageVersion } from '../../../src/config/package-version.ts';
import { migrations } from '../../../src/store/migrations.ts';
import { acquireProcessLock } from '../../../src/store/process-lock.ts';
import { openStore } from '../../../src/store/store.ts';
import { readDatabase, writeOldDatabase } from './old-database.ts';

const newest = migrations.length;
const older = Array.from({ length: newest - 1 }, (_, index) => index + 1);

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hearth-migrate-'));
  file = path.join(folder, 'hearth.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.each([...older, newest])('a database of schema %i', (schema) => {
  it('keeps every row and becomes what a new one is', () => {
    writeOldDatabase(file, schema);
    const before = readDatabase(file);
    expect(before.schema).toBe(schema);

    const store = openStore(file);
    expect(store.integrityProblems()).toEqual([]);
    expect(Object.fromEntries(store.keys.list().map(({ id, balanceId }) => [id, balanceId]))).toEqual({
      key_1: 'key_1',
      key_2: 'key_2',
      key_3: 'key_3',
    });
    expect(store.readSigningKey()).toHaveLength(32);
    store.close();

    const after = readDatabase(file);
    for (const [table, rows] of Object.entries(before.rows)) {
      expect(rows.length, table).toBeGreaterThan(0);
      // This table has a row more for each migration, and is compared below.
      if (table === 'schema_versions') continue;
      // The rest of a budget of tokens is in a table of its own.
      const kept = rows.map((row) => expect.objectContaining(without(row, 'tokens_left')));
      expect(after.rows[table], table).toEqual(kept);
    }
    if (schema >= 10)
      expect(after.rows['budgets']).toContainEqual(
        expect.objectContaining({
          owner_id: 'key_1',
          measure: 'tokens',
          period: 'ever',
          limit_units: 0,
          used: 12,
        }),
      );
    const fresh = path.join(folder, 'fresh.db');
    openStore(fresh).close();
    expect(after.definitions).toEqual(readDatabase(fresh).definitions);
    expect(after.rows['schema_versions']).toEqual(
      migrations.map(({ hearth }, index) => ({ schema: index + 1, hearth })),
    );
  });
});

describe.each(older)('the copy of a database of schema %i', (schema) => {
  it('lies beside it, for its owner only, and is what it was', () => {
    writeOldDatabase(file, schema);
    const before = readDatabase(file);
    const copy = `${file}.v${schema}.bak`;
    const store = openStore(file);
    expect(store.migrated).toEqual({ fromSchema: schema, toSchema: newest, copy });
    store.close();
    expect(readDatabase(copy)).toEqual(before);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
  });
});

it('makes no copy of a database that is new or needs no migration', () => {
  for (let times = 2; times > 0; times--) {
    const store = openStore(file);
    expect(store.migrated).toBeUndefined();
    store.close();
  }
  expect(readdirSync(folder)).toEqual(['hearth.db']);
});

it('keeps the copies of the last two versions only', () => {
  for (const schema of older) {
    rmSync(file, { force: true });
    writeOldDatabase(file, schema);
    openStore(file).close();
  }
  expect(new Set(readdirSync(folder).filter((name) => name.endsWith('.bak')))).toEqual(
    new Set([`hearth.db.v${newest - 2}.bak`, `hearth.db.v${newest - 1}.bak`]),
  );
});

it('says which hearth a newer database needs, and leaves it alone', () => {
  openStore(file).close();
  const connection = new Sqlite(file);
  connection.prepare("INSERT INTO schema_versions VALUES (?, '7.5.0')").run(newest + 1);
  connection.pragma(`user_version = ${newest + 1}`);
  connection.close();
  expect(() => openStore(file)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining('it needs hearth 7.5.0 or newer') }),
  );
  expect(readdirSync(folder).filter((name) => name.endsWith('.bak'))).toEqual([]);
});

it('migrates no database that a server of an older version is using', () => {
  writeOldDatabase(file, newest - 1);
  const lock = acquireProcessLock(file);
  expect(() => openStore(file)).toThrow(`a hearth of an older version serves from ${folder}`);
  expect(readDatabase(file).schema).toBe(newest - 1);
  lock?.release();
  expect(openStore(file).migrated?.fromSchema).toBe(newest - 1);
});

it('changes nothing where no copy can be written', () => {
  writeOldDatabase(file, newest - 1);
  const before = readDatabase(file);
  mkdirSync(`${file}.v${newest - 1}.bak`);
  expect(() => openStore(file)).toThrow(/no copy of the database .* could be put beside it/);
  expect(readDatabase(file)).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([]);
});

it('names versions of hearth that exist', () => {
  const order = (version: string) => version.split('.').map(Number) as [number, number, number];
  const isNewer = (a: string, b: string) => {
    const [left, right] = [order(a), order(b)];
    const index = left.findIndex((part, at) => part !== right[at]);
    return index >= 0 && (left[index] ?? 0) > (right[index] ?? 0);
  };
  expect(migrations.filter(({ hearth }) => isNewer(hearth, packageVersion))).toEqual([]);
});

function without(row: Readonly<Record<string, unknown>>, name: string) {
  return Object.fromEntries(Object.entries(row).filter(([column]) => column !== name));
}
