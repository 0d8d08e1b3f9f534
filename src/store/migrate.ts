import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type Sqlite from 'better-sqlite3';
import { StoreError } from '../errors/operator-errors.ts';
import { copyDatabase } from './copy-database.ts';
import { migrations } from './migrations.ts';
import { isProcessLocked } from './process-lock.ts';
import { messageOf } from '../words/describe-error.ts';

/** The newest version of the database that this program knows. */
export const newestSchema = migrations.length;

/** The migration of a database of an older version. */
export interface Migrated {
  readonly fromSchema: number;
  readonly toSchema: number;
  /** Path of the copy from before. */
  readonly copy: string;
}

/** Copies of older versions that are kept, the newest ones. */
const copiesKept = 2;

/** The version of a database; 0: nothing is in it yet. */
export function schemaOf(connection: Sqlite.Database): number {
  return Number(connection.pragma('user_version', { simple: true }));
}

/** Brings the database to this version, with a copy beside it; undefined: it had that. Throws StoreError. */
export function migrate(connection: Sqlite.Database, file: string): Migrated | undefined {
  const found = schemaOf(connection);
  if (found > newestSchema) throw tooNew(file, found, neededHearth(connection));
  if (found === newestSchema) return undefined;
  const apply = connection.transaction((): Migrated | undefined => {
    // Read again: another process may have migrated while this one waited for the lock.
    const fromSchema = schemaOf(connection);
    if (fromSchema >= newestSchema) return undefined;
    const copy = fromSchema > 0 ? keepCopy(file, fromSchema) : undefined;
    for (const { sql } of migrations.slice(fromSchema)) connection.exec(sql);
    const note = connection.prepare('INSERT OR REPLACE INTO schema_versions (schema, hearth) VALUES (?, ?)');
    migrations.forEach(({ hearth }, index) => note.run(index + 1, hearth));
    connection.pragma(`user_version = ${newestSchema}`);
    return copy === undefined ? undefined : { fromSchema, toSchema: newestSchema, copy };
  });
  return apply.immediate();
}

/** Says which hearth a database of a newer version needs; `hearth` is undefined where the database does not tell. */
export function tooNew(file: string, schema: number, hearth: string | undefined): StoreError {
  const needed = hearth === undefined ? 'a newer hearth' : `hearth ${hearth} or newer`;
  return new StoreError(
    `${file} was written by a newer hearth (schema ${schema}, this one knows ${newestSchema})`,
    `it needs ${needed}: update hearth, or choose another --data-dir`,
  );
}

/** The first hearth that has the version of this database; undefined where the database does not tell. */
export function neededHearth(connection: Sqlite.Database): string | undefined {
  try {
    const row = connection
      .prepare('SELECT hearth FROM schema_versions WHERE schema = ?')
      .pluck()
      .get(schemaOf(connection));
    return typeof row === 'string' ? row : undefined;
  } catch {
    return undefined;
  }
}

/** Puts a copy of the database beside it and gives back its path. The caller has the lock for writing. */
function keepCopy(file: string, schema: number): string {
  if (isProcessLocked(file))
    throw new StoreError(
      `a hearth of an older version serves from ${path.dirname(file)}`,
      'stop it first: its database has to be migrated',
    );
  const copy = `${file}.v${schema}.bak`;
  try {
    copyDatabase(file, copy);
  } catch (error) {
    const reason = messageOf(error);
    throw new StoreError(
      `no copy of the database ${file} could be put beside it before it is migrated: ${reason}`,
      'nothing has been changed; look whether its disk is full or the file damaged',
      error,
    );
  }
  removeOldCopies(file, copy);
  return copy;
}

function removeOldCopies(file: string, newest: string): void {
  const folder = path.dirname(file);
  const schemaOfCopy = (name: string) => Number(/\.v(\d+)\.bak$/.exec(name)?.[1] ?? Number.NaN);
  const others = readdirSync(folder)
    .filter((name) => name.startsWith(`${path.basename(file)}.v`) && !Number.isNaN(schemaOfCopy(name)))
    .filter((name) => path.join(folder, name) !== newest)
    .sort((a, b) => schemaOfCopy(b) - schemaOfCopy(a));
  for (const name of others.slice(copiesKept - 1)) rmSync(path.join(folder, name), { force: true });
}
