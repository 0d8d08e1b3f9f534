import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { configFileName, type RunningServer } from './start-server.ts';

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));
const run = promisify(execFile);

/**
 * The output of `hearth <args> --json`, parsed: the real command, in a process of its own, on the data folder and the
 * configuration of a server that may be running.
 */
export async function hearthCli<Document = Record<string, unknown>>(
  { dataDir }: Pick<RunningServer, 'dataDir'>,
  ...args: readonly string[]
): Promise<Document> {
  const configFile = join(dataDir, configFileName);
  const config = existsSync(configFile) ? ['--config', configFile] : [];
  const { stdout } = await run(
    process.execPath,
    [cliPath, ...args, '--json', '--data-dir', dataDir, ...config],
    { cwd: dataDir, env: { PATH: process.env['PATH'] } },
  );
  return JSON.parse(stdout) as Document;
}
