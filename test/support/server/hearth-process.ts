import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cliPath = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url));

/**
 * The variables with which a command in a home folder of its own finds the compiled code that the others keep: without
 * them each start takes twice the time.
 */
export const compiledCode = {
  NODE_COMPILE_CACHE: join(homedir(), '.cache', 'hearth', 'compiled'),
  ...(process.env['NODE_OPTIONS'] !== undefined && { NODE_OPTIONS: process.env['NODE_OPTIONS'] }),
};

/** How a command ended. */
export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The real command in `folder`, in a process of its own, with these variables and PATH only; it may fail. */
export function hearthProcess(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [cliPath, ...args],
      { cwd: folder, env: { PATH: process.env['PATH'], INIT_CWD: folder, ...compiledCode, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}
