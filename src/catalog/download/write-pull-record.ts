import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pullRecordPath, readPullRecord, type PullRecord } from '../pulled-files.ts';
import { removePart } from './part-file.ts';

/** Records a pull beside its first file, in one step: a reader sees the old record or the new one. */
export async function writePullRecord(firstFilePath: string, record: PullRecord): Promise<void> {
  const path = pullRecordPath(firstFilePath);
  const temporaryPath = `${path}.${process.pid}.tmp`;
  await writeFile(temporaryPath, `${JSON.stringify(record, undefined, 2)}\n`);
  await rename(temporaryPath, path);
}

/** Removes a pulled model: its files, parts of them, and the record. Gives back the paths of the files. */
export async function removePulled(firstFilePath: string): Promise<readonly string[]> {
  const folder = dirname(firstFilePath);
  const record = readPullRecord(pullRecordPath(firstFilePath));
  const paths = record?.files.map(({ name }) => join(folder, name)) ?? [firstFilePath];
  for (const path of paths) {
    await rm(path, { force: true });
    await removePart(`${path}.part`);
  }
  await rm(pullRecordPath(firstFilePath), { force: true });
  return paths;
}
