import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder of this test file for files that come with requests; gone when its tests have ended. */
export const uploadsDir = mkdtempSync(join(tmpdir(), 'hearth-uploads-'));
afterAll(() => rmSync(uploadsDir, { recursive: true, force: true }));
