import type { Statement } from 'better-sqlite3';
import type { Database } from '../database.ts';

/** Names a model file as it was when it was checked, and by what. */
export interface ModelCheckKey {
  readonly path: string;
  readonly sizeBytes: number;
  /** Whole milliseconds are compared. */
  readonly mtimeMs: number;
  /** What else the verdict depends on, such as the engine's version. */
  readonly fingerprint: string;
}

/** Verdicts on model files, one per path; a verdict on another version of the file does not count. */
export class ModelCheckTable {
  readonly #get: Statement<[string, number, number, string], { verdict: string }>;
  readonly #put: Statement<[string, number, number, string, string]>;
  readonly #delete: Statement<[string]>;

  constructor({ connection }: Database) {
    this.#get = connection.prepare(
      `SELECT verdict FROM model_checks
       WHERE path = ? AND size_bytes = ? AND mtime_ms = ? AND fingerprint = ?`,
    );
    this.#put = connection.prepare('INSERT OR REPLACE INTO model_checks VALUES (?, ?, ?, ?, ?)');
    this.#delete = connection.prepare('DELETE FROM model_checks WHERE path = ?');
  }

  /** The plain data that was put; undefined when this very file was not checked yet. */
  get(key: ModelCheckKey): unknown {
    const row = this.#get.get(key.path, key.sizeBytes, Math.trunc(key.mtimeMs), key.fingerprint);
    return row === undefined ? undefined : JSON.parse(row.verdict);
  }

  /** Replaces what was known of the path. `verdict` is plain data, not undefined. */
  put(key: ModelCheckKey, verdict: unknown): void {
    this.#put.run(key.path, key.sizeBytes, Math.trunc(key.mtimeMs), key.fingerprint, JSON.stringify(verdict));
  }

  delete(path: string): void {
    this.#delete.run(path);
  }
}
