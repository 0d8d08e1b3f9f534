import Sqlite from 'better-sqlite3';
import { schemaOf } from '../store/migrate.ts';

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
