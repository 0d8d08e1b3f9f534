import type { VerdictKey } from '../../engine/model-check/file-fingerprint.ts';
import { Table } from '../database.ts';

/** Verdicts on model files, one per path; a verdict on another version of the file does not count. */
export class ModelCheckTable extends Table {
  /** The plain data that was put; undefined when this very file was not checked yet. */
  get(key: VerdictKey): unknown {
    const row = this.database.first<{ verdict: string }>(
      `SELECT verdict FROM model_checks
       WHERE path = :path AND size_bytes = :sizeBytes AND mtime_ms = :mtimeMs AND fingerprint = :fingerprint`,
      { ...key, mtimeMs: Math.trunc(key.mtimeMs) },
    );
    return row === undefined ? undefined : JSON.parse(row.verdict);
  }

  /** Replaces the earlier verdict on the path. `verdict` is plain data, not undefined. */
  put(key: VerdictKey, verdict: unknown): void {
    this.database.run(
      'INSERT OR REPLACE INTO model_checks VALUES (:path, :sizeBytes, :mtimeMs, :fingerprint, :verdict)',
      { ...key, mtimeMs: Math.trunc(key.mtimeMs), verdict: JSON.stringify(verdict) },
    );
  }

  delete(path: string): void {
    this.database.run('DELETE FROM model_checks WHERE path = ?', path);
  }
}
