import { closeSync, openSync } from 'node:fs';
import type { Command } from 'commander';
import type { HearthServer } from '../../server.ts';
import type { Config } from '../../config/types.ts';
import type { Log } from '../../telemetry/log.ts';
import { examineGpu } from '../../engine/llama/gpu/gpu-packages.ts';
import { unknownVariables } from '../../config/flags-and-variables.ts';
import { addServeOptions, configFrom, type ConfigOptions } from '../context.ts';
import { banner } from './banner.ts';
import { folderProblems } from '../doctor/models-folders.ts';
import { fail } from '../output.ts';
import { shellCommand } from '../own-command.ts';

export function registerServeCommand(program: Command): void {
  const command = program
    .command('serve', { isDefault: true })
    .description('serve the models over HTTP until it is stopped');
  addServeOptions(command).action(serve);
}

/** Runs until SIGINT or SIGTERM; a second signal ends the process at once. */
async function serve(options: ConfigOptions): Promise<void> {
  let config: Config;
  let log: Log;
  let server: HearthServer;
  // Loading the engine takes a moment that no other command should pay.
  const [{ startServer }, { createLog }] = await Promise.all([
    import('../../server.ts'),
    import('../../telemetry/log.ts'),
  ]);
  try {
    config = configFrom(options);
    log = createLog({ level: config.logLevel });
    server = await startServer(config, log, () => configFrom(options));
  } catch (error) {
    fail(error);
    return;
  }
  if ((await examineGpu()).missing.length > 0)
    log.warn(`this machine’s GPU is not used; to use it: ${shellCommand(['gpu', 'install'])}`);
  for (const problem of unknownVariables(process.env)) log.warn(problem);
  process.stdout.write(banner(server, config));
  for (const { folder, problem, remedy } of folderProblems(server.catalog, config))
    log.warn({ folder }, `nothing is served from the models folder ${folder}: ${problem}; ${remedy}`);
  const stop = async (signal: NodeJS.Signals) => {
    process.once(signal, () => process.exit(1));
    // The terminal that this is written to may be closed.
    process.stdout.on('error', () => undefined);
    process.stdout.write(`${signal}: shutting down${waitingFor(server, config, signal)}\n`);
    await server.close();
    process.exit(0);
  };
  const ownsTerminal = process.stdin.isTTY;
  // The configuration may be edited while it is read: a file with an error changes nothing.
  const readAgain = async () => {
    try {
      const settings = await server.reconfigure(configFrom(options));
      log.info('models and plans read again');
      if (settings.length > 0) log.warn({ settings }, 'these settings changed too, and need a new start');
    } catch (err) {
      log.error({ err }, 'configuration not changed');
    }
  };
  process.on('SIGHUP', (signal) => void (ownsTerminal && terminalIsGone() ? stop(signal) : readAgain()));
  process.once('SIGTERM', (signal) => void stop(signal));
  process.once('SIGINT', (signal) => void stop(signal));
  onEndOfNpm(() => process.kill(process.pid, 'SIGTERM'));
}

/** The end of the line that announces a shutdown: the requests it waits for, and how to end at once; '' without any. */
function waitingFor(server: HearthServer, { shutdownGraceMs }: Config, signal: NodeJS.Signals): string {
  const count = server.runningRequests();
  if (count === 0) return '';
  const requests = count === 1 ? '1 request has' : `${count} requests have`;
  const again = signal === 'SIGINT' ? 'Ctrl-C again' : `a second ${signal}`;
  return `: ${requests} ${shutdownGraceMs / 1000} s to end; ${again} ends all at once`;
}

/**
 * Calls `listener` when the shell is gone in which npm runs this program as a script of a clone. npm hands SIGTERM on to
 * that shell, which ends and hands nothing on.
 */
function onEndOfNpm(listener: () => void): void {
  const { npm_lifecycle_event: script, npm_package_name: name } = process.env;
  if (name !== 'hearth' || (script !== 'start' && script !== 'hearth')) return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    listener();
  }, 500).unref();
}

/** True when the terminal window of this process was closed, which sends SIGHUP too. */
function terminalIsGone(): boolean {
  if (process.platform === 'win32') return true;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}
