import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { createBackup } from '../../../src/backup/create-backup.ts';
import { restoreBackup } from '../../../src/backup/restore-backup.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { AnswerBook } from './answer-book.ts';
import { auditableLimits, loadUntilKilled } from './killed-load.ts';
import { createLimitedServer, type LimitedServer } from './limited-server.ts';

export interface KeepingOptions {
  readonly clients: number;
  /** How long the load goes on before each kill. */
  readonly loadMs: number;
}

export interface UpgradeReport {
  /** Answers that the clients of the older version had. */
  readonly answeredBefore: number;
  /** Answers in all, of both versions. */
  readonly answered: number;
  /** Contradictions that were found; empty in a good run. */
  readonly problems: readonly string[];
}

export interface BackupReport {
  readonly answered: number;
  /** For each backup: the answers that clients had when it was begun, and the entries of the ledger in it. */
  readonly backups: readonly { readonly answered: number; readonly ledgerEntries: number }[];
  /** Contradictions that were found; empty in a good run. */
  readonly problems: readonly string[];
}

/** The account that a new database has is on this plan. */
const plans = { unlimited: { limits: auditableLimits } };
const apiKey = 'hearth-load-key-0123456789';
const warmUp = 20;

/**
 * Compares books and answers after a server of an older version is killed in the middle of its load, and this version
 * goes on with its database under the same load. `oldProgram` is the `cli.ts` of a checkout of the older version;
 * without it a database of this version is turned back to schema 6.
 */
export async function runUpgrade(
  { clients, loadMs }: KeepingOptions,
  oldProgram?: string,
): Promise<UpgradeReport> {
  await using limited = await createLimitedServer(plans);
  const book = AnswerBook.empty();
  const load = { clients, warmUp, meanwhile: () => sleep(loadMs) };
  const old = await limited.start({ program: oldProgram, apiKey });
  await loadUntilKilled(old, { secret: apiKey }, load, book.note);
  if (oldProgram === undefined) makeSchema6(limited.dataDir);
  const answeredBefore = book.answered;
  const current = await limited.start();
  const problems = audit(limited, book);
  if (!readdirSync(limited.dataDir).some((name) => name.endsWith('.bak')))
    problems.push('there is no copy of the older database');
  await loadUntilKilled(current, { secret: apiKey }, load, book.note);
  await limited.start();
  problems.push(...audit(limited, book));
  return { answeredBefore, answered: book.answered, problems: [...book.problems, ...problems] };
}

/** Whether backups that are written in the middle of load hold all answers that clients had, with the books equal. */
export async function runBackups({ clients, loadMs }: KeepingOptions, count: number): Promise<BackupReport> {
  await using limited = await createLimitedServer(plans);
  const { dataDir } = limited;
  const config = loadConfig({ flags: { dataDir }, env: {}, cwd: dataDir });
  const book = AnswerBook.empty();
  const made: { file: string; book: AnswerBook; ledgerEntries: number }[] = [];
  const meanwhile = async () => {
    for (let index = 0; index < count; index += 1) {
      await sleep(loadMs / count);
      const file = join(dataDir, `backup-${index}.tar`);
      const snapshot = book.snapshot();
      const options = { overwrite: false, withSettings: false, withFiles: true, nowMs: Date.now() };
      const { ledgerEntries } = createBackup(config, file, options);
      made.push({ file, book: snapshot, ledgerEntries });
    }
  };
  const server = await limited.start({ apiKey });
  await loadUntilKilled(server, { secret: apiKey }, { clients, warmUp, meanwhile }, book.note);
  const problems: string[] = [];
  for (const { file, book: snapshot } of made) {
    restoreBackup(config, file, { overwrite: true, nowMs: Date.now() });
    // Allowance of requests that were in flight in the backup is given back when the server starts.
    const restored = await limited.start();
    problems.push(...audit(limited, snapshot).map((problem) => `${file}: ${problem}`));
    await restored.stop();
  }
  return {
    answered: book.answered,
    backups: made.map(({ book: { answered }, ledgerEntries }) => ({ answered, ledgerEntries })),
    problems: [...book.problems, ...problems],
  };
}

function audit(limited: LimitedServer, book: AnswerBook): string[] {
  return limited.inspect((store) => {
    const [key] = store.keys.list();
    return key === undefined ? ['the key is gone'] : book.audit(store, key.id);
  });
}

/** Tables and columns that schema 6 of the database does not have. */
const addedTables = [
  'schema_versions',
  'batch_lines',
  'batches',
  'files',
  'refusals',
  'budgets',
  'claims',
  'invitations',
  'audit',
  'deliveries',
  'notices',
  'identities',
  'plans',
];
const addedColumns = {
  admissions: ['prompt_tokens', 'cached_tokens', 'completion_tokens', 'audio_ms', 'usage_source', 'batch_id'],
  ledger: ['batch_id', 'micro_units'],
  accounts: ['webhook'],
  keys: ['scopes', 'parallel'],
};

function makeSchema6(dataDir: string): void {
  const connection = new Sqlite(join(dataDir, 'hearth.db'));
  for (const table of addedTables) connection.exec(`DROP TABLE ${table}`);
  for (const [table, columns] of Object.entries(addedColumns))
    for (const column of columns) connection.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  connection.pragma('user_version = 6');
  connection.close();
}
