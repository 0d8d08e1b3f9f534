import { AccountTable } from './tables/account-table.ts';
import { AuditTable } from './tables/audit-table.ts';
import { BatchLineTable } from './tables/batches/batch-line-table.ts';
import { BatchTable } from './tables/batches/batch-table.ts';
import { FileTable } from './tables/file-table.ts';
import { AdmissionTable } from './tables/use/admission-table.ts';
import { BudgetTable } from './tables/use/budget-table.ts';
import { BucketTable } from './tables/use/bucket-table.ts';
import { isDamage } from './damaged-database.ts';
import { openDatabase, type Database } from './database.ts';
import { InvitationTable } from './tables/invitation-table.ts';
import { KeyTable } from './tables/key-table.ts';
import { LedgerTable } from './tables/use/ledger-table.ts';
import { NoticeTable } from './tables/notice-table.ts';
import { ModelCheckTable } from './tables/model-check-table.ts';
import { PlanTable } from './tables/plan-table.ts';
import { RefusalTable } from './tables/use/refusal-table.ts';
import { ResponseTable } from './tables/response-table.ts';
import { UsageQueries } from './tables/use/usage-queries.ts';

/** Everything that outlives the process. Every method is synchronous and short. */
export type Store = ReturnType<typeof toStore>;

/** The store in `file`, created and migrated as needed. Throws StoreError. */
export const openStore = (file: string): Store => toStore(openDatabase(file));

function toStore(database: Database) {
  const { connection } = database;
  return {
    /** The migration that brought the database to this version when it was opened; undefined: none. */
    migrated: database.migrated,
    accounts: new AccountTable(database),
    keys: new KeyTable(database),
    plans: new PlanTable(database),
    audit: new AuditTable(database),
    invitations: new InvitationTable(database),
    notices: new NoticeTable(database),
    buckets: new BucketTable(database),
    budgets: new BudgetTable(database),
    admissions: new AdmissionTable(database),
    ledger: new LedgerTable(database),
    refusals: new RefusalTable(database),
    usage: new UsageQueries(database),
    modelChecks: new ModelCheckTable(database),
    responses: new ResponseTable(database),
    files: new FileTable(database),
    batches: new BatchTable(database),
    batchLines: new BatchLineTable(database),
    /** 32 random bytes, made with the database. By them the server knows its own writings. */
    readSigningKey: () => connection.prepare('SELECT signing_key FROM server').pluck().get() as Uint8Array,

    /** The result of `work`, its writes committed together; none of them when it throws. Not to be nested. */
    immediate: <Result>(work: () => Result): Result => database.immediate(work),

    /** The same within the transaction under way, or else in one of its own. */
    together: <Result>(work: () => Result): Result =>
      connection.inTransaction ? work() : database.immediate(work),

    /** See `Database`. */
    serve: () => database.serve(),
    whenUnlocked: (mostMs: number): Promise<void> => database.whenUnlocked(mostMs),

    /** Throws SQLite's error when nothing can be written now. */
    checkWritable(): void {
      // Writes the value that is stored already: SQLite writes it nevertheless, and nothing has to be cleaned up.
      database.immediate(() =>
        connection.pragma(`user_version = ${Number(connection.pragma('user_version', { simple: true }))}`),
      );
    },

    /** Problems that SQLite finds in a quick check, which takes about a second per gigabyte; empty: none. */
    quickProblems: (): string[] => problemsOf(database, 'quick_check(1)'),

    /** Problems that SQLite finds in a full check of the file; empty: none. */
    integrityProblems: (): string[] => problemsOf(database, 'integrity_check'),

    close: () => void connection.close(),
  };
}

function problemsOf({ connection }: Database, check: string): string[] {
  try {
    const rows = connection.pragma(check) as Readonly<Record<string, string>>[];
    return rows.flatMap((row) => Object.values(row)).filter((text) => text !== 'ok');
  } catch (error) {
    if (isDamage(error)) return [error.message];
    throw error;
  }
}
