import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { modelIdPattern, safeNamePattern, sourceKey, type ModelSource } from './model-source.ts';

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

/** Path and record of what was pulled from `source`; undefined when nothing was. */
export function findPulled(
  pulledFolder: string,
  source: Exclude<ModelSource, { kind: 'path' }>,
): { readonly path: string; readonly record: PullRecord } | undefined {
  const folder = folderOfSource(pulledFolder, source);
  const key = sourceKey(source);
  for (const name of listRecords(folder)) {
    const record = readPullRecord(join(folder, name));
    const first = record?.files[0];
    if (record !== undefined && first !== undefined && record.sources.includes(key)) {
      return { path: join(folder, first.name), record };
    }
  }
  return undefined;
}

/** Deletes a pulled model's files and its record. False, and nothing happens, where `path` was not pulled. */
export function removePulled(pulledFolder: string, path: string): boolean {
  if (!resolve(path).startsWith(resolve(pulledFolder) + sep)) return false;
  const recordPath = pullRecordPath(path);
  const record = readPullRecord(recordPath);
  if (record?.files[0]?.name !== basename(path)) return false;
  // The record goes first: files without one are pulled again, a record without files would hide that they are gone.
  rmSync(recordPath);
  for (const { name } of record.files) rmSync(join(dirname(path), name), { force: true });
  return true;
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
