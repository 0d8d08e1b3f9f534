import Sqlite from 'better-sqlite3';
import { schemaOf } from '../store/migrate.ts';

/** The first version of the database that knows of files. */
const schemaWithFiles = 9;

/** The numbers of accounts, keys and records in a database. */
export interface DatabaseContents {
  readonly schema: number;
  readonly accounts: number;
  readonly keys: number;
  readonly ledgerEntries: number;
}

/** The numbers of a database of any version, after a full check. Throws RangeError that says how it is damaged. */
export function inspectDatabase(file: string): DatabaseContents {
  const connection = new Sqlite(file, { readonly: true, fileMustExist: true });
  try {
    const problem = connection.pragma('integrity_check(1)', { simple: true });
    if (problem !== 'ok') throw new RangeError(String(problem));
    const count = (table: string) =>
      Number(connection.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
    return {
      schema: schemaOf(connection),
      accounts: count('accounts'),
      keys: count('keys'),
      ledgerEntries: count('ledger'),
    };
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) throw new RangeError(error.message, { cause: error });
    throw error;
  } finally {
    connection.close();
  }
}

/**
 * The files that accounts keep, and the results so far of batches that have not ended, each with the bytes that count.
 */
export function keptFilesOf(database: string): readonly { readonly id: string; readonly bytes: number }[] {
  const connection = new Sqlite(database, { readonly: true, fileMustExist: true });
  try {
    if (schemaOf(connection) < schemaWithFiles) return [];
    return connection
      .prepare(
        `SELECT id, bytes FROM files
         UNION SELECT output_file_id, output_bytes FROM batches WHERE ended_at_ms IS NULL AND output_bytes > 0
         UNION SELECT error_file_id, error_bytes FROM batches WHERE ended_at_ms IS NULL AND error_bytes > 0`,
      )
      .all() as { id: string; bytes: number }[];
  } finally {
    connection.close();
  }
}
