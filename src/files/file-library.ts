import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '../accounts/types.ts';
import { AppError, invalidValue } from '../errors/errors.ts';
import { toStorageTrouble } from '../errors/storage-trouble.ts';
import { makeFolder } from '../private-files.ts';
import type { Store } from '../store/store.ts';
import type { Page, PageOf } from '../store/database.ts';
import type { FileRow } from '../store/tables/file-table.ts';
import { formatBytes } from '../words/format-bytes.ts';

export type { FileRow } from '../store/tables/file-table.ts';

/** Most files of an account: each list of them, and each start of the server, takes time with their number. */
const mostFiles = 10_000;
const idPattern = /^file-[\w-]+$/;

/** A file that has arrived, below another name in the same file system. */
export interface ArrivedFile {
  readonly path: string;
  readonly filename: string;
  readonly purpose: string;
  /** How long it is kept; undefined: until it is deleted. */
  readonly keptMs: number | undefined;
}

export interface FileLibraryDeps {
  readonly store: Pick<Store, 'files' | 'batches'>;
  readonly folder: string;
  readonly limitBytes: number;
  readonly now: Clock;
}

/** A new id of a file: `file-` and 24 random characters. */
export const newFileId = () => `file-${randomBytes(18).toString('base64url')}`;

/** Files that accounts keep: rows in the store, and their bytes below one folder. */
export class FileLibrary {
  readonly #deps: FileLibraryDeps;
  /** Bytes by account that are being written: files on their way, and results of batches. */
  readonly #arriving = new Map<string, number>();
  /** Files that are deleted, although a full disk does not let the store forget them yet. */
  readonly #gone = new Set<string>();

  constructor(deps: FileLibraryDeps) {
    this.#deps = deps;
    makeFolder(deps.folder, 0o700);
  }

  /** The bytes that the account may still write, besides those that are on their way. */
  roomOf(accountId: string): number {
    const { store, limitBytes } = this.#deps;
    return limitBytes - store.files.kept(accountId).bytes - (this.#arriving.get(accountId) ?? 0);
  }

  /** Keeps `bytes` free for a file until the function that comes back is called. Throws invalid_value. */
  reserve(accountId: string, bytes: number): () => void {
    this.#checkRoom(accountId, bytes);
    this.#add(accountId, bytes);
    let isHeld = true;
    return () => {
      if (isHeld) this.#add(accountId, -bytes);
      isHeld = false;
    };
  }

  #add(accountId: string, bytes: number): void {
    const sum = (this.#arriving.get(accountId) ?? 0) + bytes;
    if (sum > 0) this.#arriving.set(accountId, sum);
    else this.#arriving.delete(accountId);
  }

  #checkRoom(accountId: string, bytes: number): void {
    const { store, limitBytes } = this.#deps;
    const kept = store.files.kept(accountId);
    const takenBytes = kept.bytes + (this.#arriving.get(accountId) ?? 0);
    const full =
      takenBytes + bytes > limitBytes
        ? `${formatBytes(takenBytes)} of the ${formatBytes(limitBytes)} that they may take (filesLimit)`
        : kept.count >= mostFiles
          ? `all of the ${mostFiles} places that they have`
          : undefined;
    if (full === undefined) return;
    throw invalidValue(
      'file',
      `The files of this account take ${full}. Delete some with DELETE /v1/files/{id}, or send less.`,
    );
  }

  /** Takes over a file that has arrived; `release` frees the room kept for it. Throws invalid_value. */
  async add(accountId: string, arrived: ArrivedFile, release?: () => void): Promise<FileRow> {
    const { store, now } = this.#deps;
    const { size: bytes } = await stat(arrived.path);
    release?.();
    const taken = this.reserve(accountId, bytes);
    const row = toRow(accountId, arrived, bytes, now());
    try {
      await flush(arrived.path);
      await rename(arrived.path, this.pathOf(row.id));
      store.files.insert(row);
      return row;
    } catch (error) {
      await rm(this.pathOf(row.id), { force: true });
      throw error;
    } finally {
      taken();
    }
  }

  /** Throws not_found also for files of other accounts. */
  get(accountId: string, id: string): FileRow {
    const row = this.#deps.store.files.find(accountId, id, this.#deps.now());
    if (row !== undefined && !this.#gone.has(id) && existsSync(this.pathOf(id))) return row;
    throw new AppError('not_found', 'There is no such file. It may have been deleted, or its time is over.');
  }

  /** Throws invalid_value where `after` is the id of no file. */
  list(accountId: string, purpose: string | undefined, page: Page): PageOf<FileRow> {
    const { store, now } = this.#deps;
    const found = store.files.list(accountId, purpose, page, now());
    if (found !== undefined) return { ...found, rows: found.rows.filter(({ id }) => !this.#gone.has(id)) };
    throw invalidValue('after', "'after' is the id of none of these files.");
  }

  /** Throws not_found, and invalid_value while a batch reads the file. */
  async remove(accountId: string, id: string): Promise<void> {
    const { store } = this.#deps;
    this.get(accountId, id);
    const user = store.batches.unfinished().find(({ inputFileId }) => inputFileId === id);
    if (user !== undefined)
      throw invalidValue('id', `The batch ${user.id} reads this file. Cancel it first.`);
    await rm(this.pathOf(id), { force: true });
    this.#forget(id);
  }

  /** The content of the file is gone by now, which makes the room that a full disk needs to write that. */
  #forget(id: string): void {
    try {
      this.#deps.store.files.delete(id);
      this.#gone.delete(id);
    } catch (error) {
      if (toStorageTrouble(error) === undefined) throw error;
      this.#gone.add(id);
    }
  }

  /** The same for a file that may be gone, or that something still reads. */
  async removeIfThere(accountId: string, id: string): Promise<void> {
    await this.remove(accountId, id).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
    });
  }

  pathOf(id: string): string {
    if (!idPattern.test(id)) throw new Error('this is no id of a file');
    return path.join(this.#deps.folder, id);
  }

  /** How many files were deleted whose time or whose account is gone: at most `atMost`. */
  deleteExpired(atMost: number): number {
    const { store, now } = this.#deps;
    for (const id of this.#gone) this.#forget(id);
    const inUse = new Set(store.batches.unfinished().map(({ inputFileId }) => inputFileId));
    const ids = store.files.expired(now(), atMost).filter((id) => !inUse.has(id));
    for (const id of ids) {
      store.files.delete(id);
      rmSync(this.pathOf(id), { force: true });
    }
    return ids.length;
  }

  /** Deletes at the start the leavings of a crash or a full disk: files without rows, and rows without files. */
  sweep(): void {
    const { store, folder } = this.#deps;
    const ids = store.files.ids();
    for (const id of ids) if (!existsSync(this.pathOf(id))) this.#forget(id);
    const known = new Set(ids);
    for (const batch of store.batches.unfinished()) known.add(batch.outputFileId).add(batch.errorFileId);
    for (const name of readdirSync(folder))
      if (idPattern.test(name) && !known.has(name)) rmSync(path.join(folder, name), { force: true });
  }
}

function toRow(
  accountId: string,
  { filename, purpose, keptMs }: ArrivedFile,
  bytes: number,
  nowMs: number,
): FileRow {
  return {
    id: newFileId(),
    accountId,
    purpose,
    filename,
    bytes,
    createdAtMs: nowMs,
    expiresAtMs: keptMs === undefined ? null : nowMs + keptMs,
  };
}

/** A row must not tell of a file that a loss of power takes away. */
async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
