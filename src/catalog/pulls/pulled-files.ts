import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { partPathsOf } from '../download/part-file.ts';
import { modelIdPattern, safeNamePattern, type ModelSource } from './model-source.ts';

const fileSchema = z.object({
  name: z.string().regex(safeNamePattern),
  sizeBytes: z.number(),
  /** In hex. */
  sha256: z.string(),
});

const recordSchema = z.object({
  /** Keys (sourceKey) of every source that led to these files. */
  sources: z.array(z.string()).readonly(),
  /** The id to serve it under, where one was chosen; undefined: the one that the file's name gives. */
  id: z.string().regex(modelIdPattern).optional(),
  /** URL of the first file, without its query. */
  origin: z.string(),
  /** In order of the parts; the first is the one to load. */
  files: z.array(fileSchema).readonly(),
});

/** The record of a pull, in a small JSON file beside the pulled files. */
export type PullRecord = z.output<typeof recordSchema>;

export type PulledFile = z.output<typeof fileSchema>;

const recordSuffix = '.pull.json';
const maxRecordBytes = 1024 * 1024;

/** Path of the record that belongs to the pull whose first file is at `firstFilePath`. */
export function pullRecordPath(firstFilePath: string): string {
  return join(dirname(firstFilePath), `.${basename(firstFilePath)}${recordSuffix}`);
}

/** Folder below `pulledFolder` where the files of `source` belong; two pieces that are safe as names. */
export function folderOfSource(pulledFolder: string, source: Exclude<ModelSource, { kind: 'path' }>): string {
  if (source.kind === 'hf') return join(pulledFolder, source.owner, source.repository);
  return join(pulledFolder, 'web', source.url.hostname.replace(/[^A-Za-z0-9.-]/g, '_'));
}

/** The record at `path`; undefined when there is none or it is damaged. */
export function readPullRecord(path: string): PullRecord | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    if (text.length > maxRecordBytes) return undefined;
    return recordSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The first file of a pull, and its record. */
export interface Pulled {
  readonly path: string;
  readonly record: PullRecord;
}

/** The pull in `folder` from the source with this key; undefined when there is none. */
export function findPulled(folder: string, key: string): Pulled | undefined {
  for (const name of listRecords(folder)) {
    const record = readPullRecord(join(folder, name));
    const first = record?.files[0];
    if (record !== undefined && first !== undefined && record.sources.includes(key)) {
      return { path: join(folder, first.name), record };
    }
  }
  return undefined;
}

/** Writes the record of a pull beside its first file. A reader sees the old record or the new one, never half of it. */
export async function writePullRecord(firstFilePath: string, record: PullRecord): Promise<void> {
  const path = pullRecordPath(firstFilePath);
  const temporaryPath = `${path}.${process.pid}.tmp`;
  await writeFile(temporaryPath, `${JSON.stringify(record, undefined, 2)}\n`);
  await rename(temporaryPath, path);
}

/** Whether the file at `path`, in `pulledFolder` or below it, is the first of a pull. */
export function wasPulled(pulledFolder: string, path: string): boolean {
  if (!resolve(path).startsWith(resolve(pulledFolder) + sep)) return false;
  return readPullRecord(pullRecordPath(path))?.files[0]?.name === basename(path);
}

/** Deletes a pulled model's files, record and parts; gives back their paths. A projector that others use stays. */
export function removePulled(firstFilePath: string): readonly string[] {
  const recordPath = pullRecordPath(firstFilePath);
  const record = readPullRecord(recordPath);
  const folder = dirname(firstFilePath);
  const shared = new Set(
    listRecords(folder)
      .map((name) => join(folder, name))
      .filter((path) => path !== recordPath)
      .flatMap((path) => readPullRecord(path)?.files ?? [])
      .map(({ name }) => name),
  );
  const own = record?.files.filter(({ name }) => !shared.has(name));
  const paths = own?.map(({ name }) => join(folder, name)) ?? [firstFilePath];
  // The record goes first: files without one are pulled again, a record without files would hide that they are gone.
  for (const path of [recordPath, ...paths, ...paths.flatMap(partPathsOf)]) rmSync(path, { force: true });
  return paths;
}

/** The records of all that was pulled into `pulledFolder`, by the order of their paths. */
export function listPulled(pulledFolder: string): PullRecord[] {
  if (!existsSync(pulledFolder)) return [];
  return readdirSync(pulledFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(recordSuffix))
    .sort()
    .map((name) => readPullRecord(join(pulledFolder, name)))
    .filter((record) => record !== undefined);
}

function listRecords(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(recordSuffix))
      .sort();
  } catch {
    return [];
  }
}
