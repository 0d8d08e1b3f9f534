import { existsSync, fsyncSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { listPulled } from '../catalog/pulls/pulled-files.ts';
import { packageVersion } from '../config/package-version.ts';
import type { Config } from '../config/types.ts';
import { CliError } from '../errors/operator-errors.ts';
import { copyDatabase } from '../store/copy-database.ts';
import { newestSchema, tooNew } from '../store/migrate.ts';
import { migrations } from '../store/migrations.ts';
import { uploadsAmong } from '../voices/voices.ts';
import { messageOf } from '../words/describe-error.ts';
import { hashBytes, withFile, writeAll } from './copy-bytes.ts';
import { inspectDatabase, keptFilesOf, type DatabaseContents } from './inspect-database.ts';
import {
  backupFormat,
  databaseName,
  filesFolder,
  manifestName,
  settingsName,
  type Manifest,
  voicesFolder,
} from './manifest.ts';
import { tarHeader, tarPadding, writeTarEnd } from './tar.ts';

type BackupConfig = Pick<
  Config,
  'dataDir' | 'databaseFile' | 'configFile' | 'pulledModelsDir' | 'filesDir' | 'voicesDir'
>;

export interface BackupOptions {
  /** An existing file of this name is replaced. */
  readonly overwrite: boolean;
  /** The configuration file goes in too, where there is one. */
  readonly withSettings: boolean;
  /** The files of accounts go in too: the input of batches and their results. */
  readonly withFiles: boolean;
  readonly nowMs: number;
}

export interface Backup extends DatabaseContents {
  readonly sizeBytes: number;
  readonly manifest: Manifest;
}

/** A file on this machine that goes into a backup, and its name there. */
interface Source {
  readonly name: Manifest['files'][number]['name'];
  readonly file: string;
  /** How much of it goes in; undefined: all. */
  readonly sizeBytes?: number;
}

/**
 * Writes a backup of the data folder to `target`, whole or not at all, and gives back its contents. A server may run
 * meanwhile: the database in it holds all that was committed at one moment. Throws CliError.
 */
export function createBackup(config: BackupConfig, target: string, options: BackupOptions): Backup {
  refuseTarget(target, options.overwrite);
  if (!existsSync(config.databaseFile))
    throw new CliError(`there is no database in ${config.dataDir}`, 'name the data folder with --data-dir');
  let folder: string | undefined;
  try {
    // In the folder of the target, so that the finished archive can be renamed into its place.
    folder = mkdtempSync(path.join(path.dirname(target), '.hearth-backup-'));
    const copy = path.join(folder, databaseName);
    copyDatabase(config.databaseFile, copy);
    const contents = checkedContents(copy, config.databaseFile);
    const sources = [
      ...listSources(config, copy, options.withSettings),
      ...listVoices(config),
      ...(options.withFiles ? listKeptFiles(config, copy) : []),
    ];
    const manifest = describe(config, sources, contents.schema, options);
    const archive = path.join(folder, 'backup.tar');
    writeArchive(archive, manifest, sources, options.nowMs);
    const sizeBytes = statSync(archive).size;
    refuseTarget(target, options.overwrite);
    renameSync(archive, target);
    return { ...contents, sizeBytes, manifest };
  } catch (error) {
    if (error instanceof Error && 'hint' in error) throw error;
    throw new CliError(
      `the backup ${target} cannot be written: ${messageOf(error)}`,
      'choose a folder that exists, is writable and has room',
    );
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function refuseTarget(target: string, overwrite: boolean): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found?.isDirectory() === true)
    throw new CliError(`${target} is a folder`, 'name the file to write, such as hearth.tar');
  if (found !== undefined && !overwrite)
    throw new CliError(`${target} exists already`, 'name another file, or add --force to replace it');
}

function checkedContents(copy: string, databaseFile: string): DatabaseContents {
  let contents: DatabaseContents;
  try {
    contents = inspectDatabase(copy);
  } catch (error) {
    throw new CliError(
      `the database ${databaseFile} is damaged: ${messageOf(error)}`,
      'no backup was made; an older one may be whole',
    );
  }
  if (contents.schema > newestSchema) throw tooNew(databaseFile, contents.schema, undefined);
  return contents;
}

/** The files that go in, the database first. */
function listSources({ dataDir, configFile }: BackupConfig, copy: string, withSettings: boolean): Source[] {
  const certificate = (['tls/cert.pem', 'tls/key.pem'] as const).map((name) => ({
    name,
    file: path.join(dataDir, name),
  }));
  return [
    { name: databaseName, file: copy },
    ...(withSettings && configFile !== undefined ? [{ name: settingsName, file: configFile } as const] : []),
    ...certificate.filter(({ file }) => existsSync(file)),
  ];
}

/** Uploaded voices. */
const listVoices = ({ voicesDir }: BackupConfig): Source[] =>
  uploadsAmong(voicesDir, existsSync(voicesDir) ? readdirSync(voicesDir) : []).map(({ path: file }) => ({
    name: `${voicesFolder}/${path.basename(file)}` as const,
    file,
  }));

/** The files that the copied database tells of, each as long as it was then: results may be written meanwhile. */
function listKeptFiles({ filesDir }: BackupConfig, copy: string): Source[] {
  return keptFilesOf(copy)
    .map(({ id, bytes: sizeBytes }) => ({
      name: `${filesFolder}/${id}` as const,
      file: path.join(filesDir, id),
      sizeBytes,
    }))
    .filter(({ file }) => existsSync(file));
}

function describe(
  { configFile, pulledModelsDir }: BackupConfig,
  sources: readonly Source[],
  schema: number,
  { nowMs }: BackupOptions,
): Manifest {
  const settings = sources.some(({ name }) => name === settingsName);
  return {
    format: backupFormat,
    hearth: packageVersion,
    schema,
    neededHearth: migrations[schema - 1]?.hearth ?? packageVersion,
    createdAt: new Date(nowMs).toISOString(),
    ...(settings && configFile !== undefined ? { settingsFrom: configFile } : {}),
    files: sources.map(({ name, file, sizeBytes = statSync(file).size }) => {
      return {
        name,
        sizeBytes,
        sha256: withFile(file, 'r', (from) => hashBytes(from, { offset: 0, sizeBytes })),
      };
    }),
    models: listPulled(pulledModelsDir).map(({ sources: known, origin, id }) => ({
      source: known.find((key) => key.startsWith('hf:')) ?? origin,
      ...(id === undefined ? {} : { id }),
    })),
  };
}

function writeArchive(archive: string, manifest: Manifest, sources: readonly Source[], nowMs: number): void {
  withFile(archive, 'wx', (to) => {
    const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    writeAll(to, Buffer.concat([tarHeader(manifestName, text.length, nowMs), text, tarPadding(text.length)]));
    for (const { name, file } of sources) {
      const known = manifest.files.find((one) => one.name === name);
      const sizeBytes = known?.sizeBytes ?? 0;
      writeAll(to, tarHeader(name, sizeBytes, nowMs));
      const sha256 = withFile(file, 'r', (from) =>
        hashBytes(from, { offset: 0, sizeBytes }, (piece) => writeAll(to, piece)),
      );
      if (sha256 !== known?.sha256) throw new Error(`${file} was changed meanwhile; try again`);
      writeAll(to, tarPadding(sizeBytes));
    }
    writeTarEnd(to);
    fsyncSync(to);
  });
}
