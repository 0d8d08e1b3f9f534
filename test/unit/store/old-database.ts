import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';

export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Writes a database of an older version with a few rows in each of its tables, as that version left it. */
export function writeOldDatabase(file: string, schema: number): void {
  const connection = new Sqlite(file);
  connection.pragma('journal_mode = WAL');
  connection.exec(readFileSync(new URL(`schemas/v${schema}.sql`, import.meta.url), 'utf8'));
  connection.close();
}

/** Every row of every table, and the definition of everything that is in the database. */
export function readDatabase(file: string): { rows: Rows; definitions: unknown[]; schema: unknown } {
  const connection = new Sqlite(file, { readonly: true });
  try {
    const definitions = connection
      .prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name')
      .all() as { type: string; name: string }[];
    const tables = definitions.filter(({ type }) => type === 'table').map(({ name }) => name);
    const rowsOf = (table: string) =>
      connection.prepare(`SELECT * FROM ${table}`).all() as Record<string, unknown>[];
    return {
      rows: Object.fromEntries(tables.map((table) => [table, rowsOf(table)])),
      definitions,
      schema: connection.pragma('user_version', { simple: true }),
    };
  } finally {
    connection.close();
  }
}
