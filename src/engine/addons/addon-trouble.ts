import { spawnSync } from 'node:child_process';
import type { Addon } from './addon.ts';
import { childEnvironment } from '../processes/watch-child.ts';

const program = `
  try { require(process.argv[1]); }
  catch (error) { process.stderr.write(error.message); process.exitCode = 1; }
`;

/** Why the addon at `file` does not load, found out in a process of its own; undefined when it does. */
export function addonTrouble({ isPlainLibrary = false }: Addon, file: string): string | undefined {
  if (isPlainLibrary) return undefined;
  const { error, signal, status, stderr } = spawnSync(process.execPath, ['-e', program, file], {
    encoding: 'utf8',
    env: childEnvironment(),
    timeout: 60_000,
  });
  if (error !== undefined) return error.message;
  if (signal !== null) return `loading it ends a process with ${signal}`;
  return status === 0 ? undefined : stderr.trim() || `loading it ends a process with exit code ${status}`;
}
