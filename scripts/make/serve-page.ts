import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const cliPath = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

/** A server of its own, with its data and its configuration in `dataDir`. */
export interface ServedPage {
  /** The address of the page. */
  readonly url: string;
  stop(): void;
}

/** Resolves once the server listens; throws with its output where it does not start. */
export async function servePage(dataDir: string, env: NodeJS.ProcessEnv = {}): Promise<ServedPage> {
  const server = spawn(process.execPath, [cliPath, 'serve', '--port', '0', '--data-dir', dataDir], {
    cwd: dataDir,
    env: { ...process.env, ...env },
  });
  let output = '';
  for await (const text of server.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    output += text;
    const url = /Page:\s+(\S+)/.exec(output)?.[1];
    if (url !== undefined) return { url, stop: () => void server.kill() };
  }
  throw new Error(`the server did not start:\n${output}`);
}
