import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { damagedDatabase, isDamage } from './damaged-database.ts';
import { migrate, type Migrated } from './migrate.ts';
import { isBusy } from './process-lock.ts';
import { createOwnerOnly, makeFolder } from '../private-files.ts';
import { StoreError } from '../errors/operator-errors.ts';
import { messageOf } from '../words/describe-error.ts';

/** How long a statement stands still while another program locks the database. */
const patienceMs = 5000;
/** The same in a server, where everybody would stand still. */
const serverPatienceMs = 20;
const lookAgainMs = 50;

/**
 * A connection with the house's settings, and the one way to write in a transaction. A statement is prepared when it is
 * first needed, and kept. Its parameters are bound by position, or by the names of one object.
 */
export class Database {
  readonly connection: Sqlite.Database;
  /** The migration that brought it to this version when it was opened; undefined: none. */
  readonly migrated: Migrated | undefined;
  readonly #statements = new Map<string, Sqlite.Statement>();
  #isServing = false;
  /** Another program locked the database when it was to be written last. */
  #isLocked = false;
  #nextTry: Promise<unknown> | undefined;

  constructor(connection: Sqlite.Database, migrated?: Migrated) {
    this.connection = connection;
    this.migrated = migrated;
  }

  all<Row>(sql: string, ...parameters: readonly unknown[]): Row[] {
    return this.#prepared(sql).all(...parameters) as Row[];
  }

  iterate<Row>(sql: string): IterableIterator<Row> {
    return this.#prepared(sql).iterate() as IterableIterator<Row>;
  }

  /** The first row of a query; undefined when there is none. */
  first<Row>(sql: string, ...parameters: readonly unknown[]): Readonly<Row> | undefined {
    return this.#prepared(sql).get(...parameters) as Readonly<Row> | undefined;
  }

  /** How many rows a statement changed, and the id of the row that it inserted last. */
  run(sql: string, ...parameters: readonly unknown[]): Sqlite.RunResult {
    try {
      const result = this.#prepared(sql).run(...parameters);
      if (this.#isLocked) this.#setLocked(false);
      return result;
    } catch (error) {
      if (!this.#isLocked && isBusy(error)) this.#setLocked(true);
      throw error;
    }
  }

  /** From now on statements wait for locks next to nothing, and while one is known to be held, not at all. */
  serve(): void {
    this.#isServing = true;
    this.#setLocked(false);
  }

  /** Resolves when no other program locks the database; throws SQLite's error after `mostMs`. Others go on meanwhile. */
  async whenUnlocked(mostMs: number): Promise<void> {
    const endMs = performance.now() + mostMs;
    let error = this.#tryLock();
    while (error !== undefined) {
      if (!isBusy(error) || performance.now() > endMs) throw error;
      // However many wait, one tries for all of them.
      this.#nextTry ??= setTimeout(lookAgainMs).then(() => {
        this.#nextTry = undefined;
        return this.#tryLock();
      });
      error = await this.#nextTry;
    }
  }

  #tryLock(): unknown {
    try {
      return this.immediate(() => undefined);
    } catch (error) {
      return error;
    }
  }

  #setLocked(isLocked: boolean): void {
    this.#isLocked = isLocked;
    if (this.#isServing) this.connection.pragma(`busy_timeout = ${isLocked ? 0 : serverPatienceMs}`);
  }

  /** The result of `work`, whose writes are committed together. Takes the write lock at once. Not to be nested. */
  immediate<Result>(work: () => Result): Result {
    this.run('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      // On a full disk SQLite has rolled back by itself.
      if (this.connection.inTransaction) this.run('ROLLBACK');
      throw error;
    }
  }

  #prepared(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Which part of a list is wanted: `after` the row of this id, `limit` rows. */
export interface Page {
  readonly after?: string | undefined;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

export interface PageOf<Row> {
  readonly rows: readonly Row[];
  readonly isMore: boolean;
}

const toColumn = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of fields that are named between commas, for a query whose rows have these fields. */
export const columnsOf = (fields: string): string =>
  fields.replaceAll(/\w+/g, (field) => `${toColumn(field)} AS ${field}`);

/** A condition of tables whose rows belong to accounts. */
export const ofRemovedAccount = 'account_id IN (SELECT id FROM accounts WHERE removed_at_ms IS NOT NULL)';

interface Created {
  readonly id: string;
  readonly createdAtMs: number;
}

/** Statements by table and columns: to write one takes 8 µs, and each request inserts several rows. */
const insertions = new Map<string, string>();

export class Table {
  protected readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** Adds `row`, whose fields have the names of the columns in camel case; `rest` ends the statement. */
  protected insertInto(table: string, row: object, rest = ''): Sqlite.RunResult {
    const names = Object.keys(row);
    const key = `${table} ${names.join()} ${rest}`;
    const known = insertions.get(key);
    const sql =
      known ?? `INSERT INTO ${table} (${names.map(toColumn).join()}) VALUES (:${names.join(',:')}) ${rest}`;
    if (known === undefined) insertions.set(key, sql);
    return this.database.run(sql, row);
  }

  /** How many rows were deleted for which `condition` holds: at most `atMost`, which keeps the lock short. */
  protected deleteSome(table: string, key: string, condition: string, atMs: number | string, atMost: number) {
    const some = `SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ?`;
    return this.database.run(`DELETE FROM ${table} WHERE (${key}) IN (${some})`, atMs, atMost).changes;
  }

  /** The rows of `select`, which ends in a condition, by the time of their creation behind `start`. */
  protected page<Row extends Created>(
    select: string,
    parameters: object,
    { limit, order }: Page,
    start: Row | undefined,
  ): PageOf<Row> {
    const [beyond, direction] = order === 'asc' ? ['>', 'ASC'] : ['<', 'DESC'];
    const rows = this.database.all<Row>(
      `${select} AND (:startMs IS NULL OR (created_at_ms, id) ${beyond} (:startMs, :startId))
       ORDER BY created_at_ms ${direction}, id ${direction} LIMIT :most`,
      { ...parameters, startMs: start?.createdAtMs ?? null, startId: start?.id ?? null, most: limit + 1 },
    );
    return { rows: rows.slice(0, limit), isMore: rows.length > limit };
  }
}

/** Makes the folder and the file, readable by their owner only, where they do not exist. */
function createFile(file: string): void {
  makeFolder(path.dirname(file), 0o700);
  // SQLite gives its -wal and -shm files the mode of this one.
  createOwnerOnly(file);
}

/** An open, migrated database; several processes may have the same file open. Throws StoreError. */
export function openDatabase(file: string): Database {
  try {
    createFile(file);
    const connection = new Sqlite(file);
    try {
      // Set first, so that the statements below wait for other processes too.
      connection.pragma(`busy_timeout = ${patienceMs}`);
      connection.pragma('journal_mode = WAL');
      connection.pragma('synchronous = NORMAL');
      connection.pragma('foreign_keys = ON');
      // Requests write the same few pages again and again; a longer log (32 MiB) copies them less often.
      connection.pragma('wal_autocheckpoint = 8000');
      return new Database(connection, migrate(connection, file));
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    if (isDamage(error)) throw damagedDatabase(file, error.message);
    const reason = messageOf(error);
    throw new StoreError(
      `cannot open the database ${file}: ${reason}`,
      'check that the data folder is writable, or choose another --data-dir',
      error,
    );
  }
}
