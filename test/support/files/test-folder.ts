import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '../at-end.ts';

/** A folder for the files of the test file that runs. */
export const testFolder: string = mkdtempSync(join(tmpdir(), 'hearth-test-'));
atEnd(() => rmSync(testFolder, { recursive: true, force: true }));

export function emptyTestFolder(): void {
  for (const name of readdirSync(testFolder))
    rmSync(join(testFolder, name), { recursive: true, force: true });
}
