import { execFile } from 'node:child_process';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openStore } from '../../../src/store/store.ts';
import { startServer } from '../../support/server/start-server.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hearth-data-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const run = promisify(execFile);

const start = () => startServer({ modelsDirs: [], dataDir, config: { demo: false } });
const lookedThrough = 'the database was not closed: looking through it';

it('looks through its database where it was not closed, and only then', async () => {
  const first = await start();
  await first.kill();
  const second = await start();
  await expect.poll(() => second.stderr()).toContain(lookedThrough);
  await second.stop();
  const third = await start();
  await third.stop();
  expect(third.stderr()).not.toContain(lookedThrough);
});

it('does not serve from a damaged database: it names the file and what to do, each time', async () => {
  await (await start()).kill();
  const file = join(dataDir, 'hearth.db');
  // Opening and closing moves the rows of the log beside it into the file.
  openStore(file).close();
  damage(file);
  for (let attempts = 2; attempts > 0; attempts--) {
    const failed = await start().then(
      () => undefined,
      (error: unknown) => String(error),
    );
    expect(failed).toContain(`the database ${file} is damaged`);
    expect(failed).toContain('backup');
    expect(failed).not.toContain('    at ');
  }
  await findings(file);
});

/** The findings of `hearth doctor` about it, and all else. */
async function findings(file: string): Promise<void> {
  const command = ['--data-dir', dataDir, '--json'];
  const failed = run(process.execPath, [cliPath, 'doctor', ...command], { cwd: dataDir });
  const { stdout } = await failed.then(
    (done) => done,
    (error: { stdout: string }) => error,
  );
  const table = JSON.parse(stdout) as { subject: string; ok: boolean; remedy?: string }[];
  expect(table.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['node', 'memory', 'disk']));
  expect(JSON.stringify(table)).toContain(file);
  expect(table.find(({ subject }) => subject === 'database')).toMatchObject({
    ok: false,
    remedy: expect.stringContaining('backup') as string,
  });
}

/** Overwrites the last pages, as a disk that lost them would give them back. */
function damage(file: string): void {
  const { size } = statSync(file);
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(3 * 4096, 0xa5), 0, 3 * 4096, size - 3 * 4096);
  closeSync(descriptor);
}
