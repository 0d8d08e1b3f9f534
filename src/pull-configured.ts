import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LiveCatalog } from './catalog/catalog.ts';
import type { Config } from './config/types.ts';
import type { Log } from './telemetry/log.ts';

/** The end of a failed pull's output that goes to the log. */
const diagnosticChars = 1000;

/**
 * Pulls the configured models whose files are not there yet, one after the other, each by `hearth models pull` in
 * a process of its own: hashing and writing gigabytes would make every running answer stutter. Resolves when all
 * were tried or `signal` aborted; a pull that was cut short goes on at the next start.
 */
export async function pullConfigured(
  catalog: LiveCatalog,
  config: Config,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  for (const { id, pullable } of catalog.pending()) {
    if (!pullable || signal.aborted) continue;
    log.info({ model: id }, 'pulling a configured model');
    const failure = await pull(id, config, signal);
    if (signal.aborted) return;
    if (failure === undefined) log.info({ model: id }, 'pulled');
    else log.error({ model: id, failure }, 'pull failed');
    catalog.rescan();
  }
}

/** What went wrong; undefined when the model is here. */
async function pull(id: string, config: Config, signal: AbortSignal): Promise<string | undefined> {
  const cli = fileURLToPath(new URL(`./cli${extname(import.meta.url)}`, import.meta.url));
  const configFlags = config.configFile === undefined ? [] : ['--config', config.configFile];
  const child = spawn(
    process.execPath,
    [cli, 'models', 'pull', ...configFlags, '--data-dir', config.dataDir, '--', id],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const stop = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  let diagnostics = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    diagnostics = (diagnostics + text).slice(-diagnosticChars);
  });
  const [code, exitSignal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  signal.removeEventListener('abort', stop);
  return code === 0 ? undefined : `${exitSignal ?? `exit code ${code}`}: ${diagnostics.trim()}`;
}
