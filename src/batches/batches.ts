import { randomBytes } from 'node:crypto';
import { AppError, invalidValue } from '../errors/errors.ts';
import { newFileId } from '../files/file-library.ts';
import type { Page, PageOf } from '../store/database.ts';
import type { BatchDialect, BatchRow, NewBatchRow } from '../store/tables/batches/batch-table.ts';
import type { BatchRunner, BatchRunnerDeps } from './batch-runner.ts';
import type { Batch } from './batch-types.ts';

const windowMs = 24 * 3_600_000;
/** Most batches of an account that have not ended. */
const mostUnfinished = 100;

export interface NewBatch extends Pick<NewBatchRow, 'dialect' | 'endpoint' | 'inputFileId' | 'keptMs'> {
  readonly metadata: Readonly<Record<string, string>> | undefined;
  /** Lines, where that is known. */
  readonly total?: number;
}

interface BatchesDeps extends Pick<BatchRunnerDeps, 'store' | 'files' | 'now'> {
  readonly runner: BatchRunner;
}

/** The batches of accounts, for their clients, to whom those of other accounts are not found, and for operators. */
export class Batches {
  readonly #deps: BatchesDeps;

  constructor(deps: BatchesDeps) {
    this.#deps = deps;
  }

  /** A batch whose lines are checked from now on. Throws not_found for the file, and invalid_value. */
  create(owner: { readonly accountId: string; readonly keyId: string }, wanted: NewBatch): Batch {
    const { store, files, runner, now } = this.#deps;
    const { accountId, keyId } = owner;
    if (files.get(accountId, wanted.inputFileId).purpose !== 'batch')
      throw invalidValue('input_file_id', "'input_file_id' must be a file with the purpose batch.");
    const unfinished = store.batches.unfinished().filter((batch) => batch.accountId === accountId);
    if (unfinished.length >= mostUnfinished)
      throw new AppError(
        'invalid_value',
        `This account has ${mostUnfinished} batches that have not ended. Wait for one, or cancel one.`,
      );
    const { dialect, endpoint, inputFileId, metadata, keptMs, total = 0 } = wanted;
    const prefix = dialect === 'openai' ? 'batch_' : 'msgbatch_';
    const id = `${prefix}${randomBytes(16).toString('hex')}`;
    store.batches.insert({
      id,
      accountId,
      keyId,
      dialect,
      endpoint,
      inputFileId,
      outputFileId: newFileId(),
      errorFileId: newFileId(),
      keptMs,
      total,
      metadata: metadata === undefined ? null : JSON.stringify(metadata),
      createdAtMs: now(),
      expiresAtMs: now() + windowMs,
    });
    const batch = this.get(accountId, id, dialect);
    runner.adopt(batch);
    return batch;
  }

  /** Throws not_found. */
  get(accountId: string, id: string, dialect: BatchDialect): Batch {
    const row = this.#deps.store.batches.find(accountId, id, dialect);
    if (row !== undefined) return this.#withWait(row);
    throw noBatch();
  }

  /** A batch of any account and dialect. Throws not_found. */
  find(id: string): Batch {
    const row = this.#deps.store.batches.get(id);
    if (row !== undefined) return this.#withWait(row);
    throw noBatch();
  }

  /** Those of all accounts and dialects. Throws invalid_value where `after` is the id of no batch. */
  listAll(page: Page): PageOf<Batch> {
    return this.#toPage(this.#deps.store.batches.listAll(page));
  }

  /** Throws invalid_value where `after` is the id of no batch. */
  list(accountId: string, dialect: BatchDialect, page: Page): PageOf<Batch> {
    return this.#toPage(this.#deps.store.batches.list(accountId, dialect, page));
  }

  /** How the sender of a batch called the file of its requests; undefined: it is gone. */
  inputNameOf({ accountId, inputFileId }: Batch): string | undefined {
    return this.#deps.store.files.find(accountId, inputFileId, this.#deps.now())?.filename;
  }

  #toPage(found: PageOf<BatchRow> | undefined): PageOf<Batch> {
    if (found !== undefined) return { ...found, rows: found.rows.map((row) => this.#withWait(row)) };
    throw invalidValue('after', "'after' is the id of none of these batches.");
  }

  /** The batch, of which nothing more is begun. Throws not_found, and invalid_value where it has ended. */
  cancel(accountId: string, id: string, dialect: BatchDialect): Batch {
    const { store, runner, now } = this.#deps;
    const { status } = this.get(accountId, id, dialect);
    if (status === 'validating' || status === 'in_progress') {
      store.batches.cancel(id, now());
      runner.refresh(id);
    } else if (status !== 'cancelling' && status !== 'cancelled')
      throw new AppError('invalid_value', `A batch that is ${status} cannot be cancelled.`);
    return this.get(accountId, id, dialect);
  }

  /** Deletes a batch that has ended, with its input and its results. Throws not_found, and invalid_value. */
  async remove(accountId: string, id: string, dialect: BatchDialect): Promise<void> {
    const { store, files } = this.#deps;
    const { endedAtMs, inputFileId, outputFileId, errorFileId } = this.get(accountId, id, dialect);
    if (endedAtMs === null)
      throw new AppError('invalid_value', 'A batch is deleted once it has ended. Cancel it first.');
    store.batches.delete(id);
    for (const fileId of [inputFileId, outputFileId, errorFileId])
      await files.removeIfThere(accountId, fileId);
  }

  #withWait(row: BatchRow): Batch {
    return { ...row, wait: this.#deps.runner.waitOf(row.id) };
  }
}

const noBatch = () => new AppError('not_found', 'There is no such batch.');
