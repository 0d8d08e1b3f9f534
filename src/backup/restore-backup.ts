import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../config/types.ts';
import { CliError } from '../errors/operator-errors.ts';
import { makeFolder } from '../private-files.ts';
import { acquireProcessLock, isProcessLocked } from '../store/process-lock.ts';
import { messageOf } from '../words/describe-error.ts';
import { inspectDatabase, type DatabaseContents } from './inspect-database.ts';
import { databaseName, type Manifest } from './manifest.ts';
import { openBackup, type OpenBackup } from './open-backup.ts';

type RestoreConfig = Pick<Config, 'dataDir' | 'databaseFile'>;

export interface RestoreOptions {
  /** The folder's earlier contents are moved to a folder beside it. */
  readonly overwrite: boolean;
  readonly nowMs: number;
}

export interface Restored extends DatabaseContents {
  readonly manifest: Manifest;
  /** Folder of the files from before; undefined: there were none. */
  readonly replaced: string | undefined;
}

/** The database, SQLite's files beside it, and the copies of its older versions; not its lock. */
const databaseFiles = /^hearth\.db(?:-wal|-shm|-journal|\.v\d+\.bak)?$/;

/**
 * Puts the files of the backup `file` into the data folder, and gives back their facts. Models in the folder stay. All of
 * the backup is checked before anything changes. Throws CliError where it is damaged or too new, where a server runs on
 * the folder, and where the folder holds something that would be replaced.
 */
export function restoreBackup(config: RestoreConfig, file: string, options: RestoreOptions): Restored {
  const { dataDir, databaseFile } = config;
  const backup = openBackup(file);
  try {
    const inTheWay = namesInTheWay(dataDir, backup.manifest);
    if (inTheWay.length > 0) {
      if (isProcessLocked(databaseFile)) throw serverRuns(dataDir);
      if (!options.overwrite)
        throw new CliError(
          `${dataDir} is in use: it has ${inTheWay.join(', ')}`,
          'name another folder with --data-dir, or add --force, which keeps what is there beside it',
        );
    }
    makeFolder(dataDir, 0o700);
    const lock = acquireProcessLock(databaseFile);
    if (lock === undefined) throw serverRuns(dataDir);
    try {
      return { manifest: backup.manifest, ...putInPlace(dataDir, backup, options) };
    } finally {
      lock.release();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `${dataDir} cannot be written: ${messageOf(error)}`,
      'is it writable, with room left?',
    );
  } finally {
    backup.close();
  }
}

const serverRuns = (dataDir: string) =>
  new CliError(`a hearth serves from ${dataDir}`, 'stop it first; nothing has been changed');

/** Names in the folder that the backup would replace. */
function namesInTheWay(dataDir: string, { files }: Manifest): string[] {
  if (!existsSync(dataDir)) return [];
  const tops = new Set(files.map(({ name }) => name.split('/')[0]));
  return readdirSync(dataDir)
    .filter((name) => databaseFiles.test(name) || tops.has(name))
    .sort();
}

/** Unpacks beside the files that are there, checks it, and only then changes places. */
function putInPlace(
  dataDir: string,
  backup: OpenBackup,
  { nowMs }: RestoreOptions,
): Omit<Restored, 'manifest'> {
  const { manifest } = backup;
  const unpacked = mkdtempSync(path.join(dataDir, '.restoring-'));
  try {
    for (const { name } of manifest.files) {
      makeFolder(path.dirname(path.join(unpacked, name)), 0o700);
      backup.extract(name, path.join(unpacked, name));
    }
    const contents = inspectDatabase(path.join(unpacked, databaseName));
    if (contents.schema !== manifest.schema)
      throw new CliError('the database in the backup is not of the version that the backup names');
    return {
      ...contents,
      replaced: changePlaces(dataDir, unpacked, namesInTheWay(dataDir, manifest), nowMs),
    };
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

/**
 * Moves the named files into a new folder below, and the files in `unpacked` into their place; all or nothing. Gives back
 * the path of the new folder, or undefined where nothing was in the way.
 */
function changePlaces(
  dataDir: string,
  unpacked: string,
  inTheWay: readonly string[],
  nowMs: number,
): string | undefined {
  const time = new Date(nowMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '');
  const replaced = inTheWay.length === 0 ? undefined : mkdtempSync(path.join(dataDir, `replaced-${time}-`));
  const moves = [
    ...inTheWay.map((name) => [path.join(dataDir, name), path.join(replaced ?? '', name)] as const),
    ...readdirSync(unpacked).map((name) => [path.join(unpacked, name), path.join(dataDir, name)] as const),
  ];
  const done: (readonly [string, string])[] = [];
  try {
    for (const move of moves) {
      renameSync(...move);
      done.push(move);
    }
  } catch (error) {
    for (const [from, to] of done.reverse()) renameSync(to, from);
    throw error;
  }
  return replaced;
}
