import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { z } from 'zod';
import { CliError } from '../errors/operator-errors.ts';
import { newestSchema } from '../store/migrate.ts';
import { messageOf } from '../words/describe-error.ts';
import { hashBytes, withFile, writeAll } from './copy-bytes.ts';
import { anyManifest, backupFormat, manifestName, manifestSchema, type Manifest } from './manifest.ts';
import { formatPath } from '../words/format-path.ts';
import { firstNameInTar, listTar, type TarEntry } from './tar.ts';

type FileName = Manifest['files'][number]['name'];

const maxManifestBytes = 16 * 1024 * 1024;

/** A backup that was found whole and of a version that this program can restore. */
export interface OpenBackup {
  readonly manifest: Manifest;
  /** Writes one of its files to the new file `target`, readable by its owner only. */
  extract(name: FileName, target: string): void;
  close(): void;
}

/** The backup in `file`, after every byte of it was checked. Throws CliError that says what is wrong with it. */
export function openBackup(file: string): OpenBackup {
  const descriptor = openArchive(file);
  try {
    if (!fstatSync(descriptor).isFile() || firstNameInTar(descriptor) !== manifestName)
      throw new CliError(
        `${file} is no backup, or is damaged at its beginning`,
        'name a file that "hearth backup" wrote; nothing has been changed',
      );
    const entries = new Map(
      listTar(descriptor, fstatSync(descriptor).size).map((entry) => [entry.name, entry] as const),
    );
    const manifest = readManifest(descriptor, file, entries.get(manifestName));
    for (const { name, sizeBytes, sha256 } of manifest.files) {
      const entry = entries.get(name);
      if (entry?.sizeBytes !== sizeBytes || hashBytes(descriptor, entry) !== sha256)
        throw new RangeError(`${name} in it is not what was written`);
    }
    return {
      manifest,
      extract: (name, target) => extract(descriptor, entries.get(name), target),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    closeSync(descriptor);
    if (error instanceof CliError) throw error;
    throw new CliError(`the backup ${file} is damaged: ${messageOf(error)}`, 'nothing has been changed');
  }
}

function openArchive(file: string): number {
  try {
    // A pipe that nobody writes to would keep it waiting for ever.
    return openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new CliError(`the backup ${file} cannot be read: ${messageOf(error)}`);
  }
}

function readManifest(descriptor: number, file: string, entry: TarEntry | undefined): Manifest {
  if (entry === undefined || entry.sizeBytes > maxManifestBytes)
    throw new RangeError(`its ${manifestName} is missing or too large`);
  const bytes = Buffer.alloc(entry.sizeBytes);
  readSync(descriptor, bytes, 0, bytes.length, entry.offset);
  const document: unknown = JSON.parse(bytes.toString('utf8'));
  const { format, hearth } = checked(anyManifest, document);
  if (format > backupFormat) throw newer(file, hearth, hearth);
  const manifest = checked(manifestSchema, document);
  if (manifest.schema > newestSchema) throw newer(file, hearth, manifest.neededHearth);
  return manifest;
}

/** Throws RangeError that tells the first mistake in one line. */
function checked<Schema extends z.ZodType>(schema: Schema, document: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(document);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return data as z.output<Schema>;
  throw new RangeError(`${formatPath([manifestName, ...issue.path])}: ${issue.message}`);
}

function newer(file: string, hearth: string, needed: string): CliError {
  return new CliError(
    `the backup ${file} was made by a newer hearth, ${hearth}`,
    `it needs hearth ${needed} or newer: update hearth`,
  );
}

function extract(descriptor: number, entry: TarEntry | undefined, target: string): void {
  if (entry === undefined) throw new RangeError(`the backup does not hold ${target}`);
  withFile(target, 'wx', (to) => hashBytes(descriptor, entry, (piece) => writeAll(to, piece)));
}
