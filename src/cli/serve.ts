import { closeSync, openSync } from 'node:fs';
import type { Command } from 'commander';
import { bootstrapAccountName, type Bootstrap } from '../accounts/bootstrap.ts';
import type { HearthServer } from '../server.ts';
import { packageVersion } from '../config/package-version.ts';
import type { Config } from '../config/types.ts';
import type { Log } from '../telemetry/log.ts';
import { addConfigOptions, configFrom, type ConfigOptions } from './context.ts';
import { isDemo, preferredChatModel } from './demo.ts';
import { folderProblems } from './doctor/models-folders.ts';
import { fail } from './output.ts';
import { sameFolder, shellCommand } from './own-command.ts';

export function registerServeCommand(program: Command): void {
  const command = program
    .command('serve', { isDefault: true })
    .description('serve the models over HTTP until it is stopped')
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--port <number>', 'port to listen on; 0 takes a free one (default: 8080)');
  addConfigOptions(command).action(serve);
}

/** Runs until SIGINT or SIGTERM; a second signal ends the process at once. */
async function serve(options: ConfigOptions): Promise<void> {
  let config: Config;
  let log: Log;
  let server: HearthServer;
  // Loading the engine takes a moment that no other command should pay.
  const [{ startServer }, { createLog }] = await Promise.all([
    import('../server.ts'),
    import('../telemetry/log.ts'),
  ]);
  try {
    config = configFrom(options);
    log = createLog({ level: config.logLevel });
    server = await startServer(config, log);
  } catch (error) {
    fail(error);
    return;
  }
  process.stdout.write(banner(server, config));
  for (const { folder, problem, remedy } of folderProblems(config))
    log.warn({ folder }, `nothing is served from the models folder ${folder}: ${problem}; ${remedy}`);
  const stop = async (signal: NodeJS.Signals) => {
    process.once(signal, () => process.exit(1));
    // The terminal that this is written to may be closed.
    process.stdout.on('error', () => undefined);
    process.stdout.write(`${signal}: shutting down\n`);
    await server.close();
    process.exit(0);
  };
  const ownsTerminal = process.stdin.isTTY;
  // The configuration may be edited while it is read: a file with an error changes nothing.
  process.on('SIGHUP', (signal) => {
    if (ownsTerminal && terminalIsGone()) return void stop(signal);
    try {
      const settings = server.reconfigure(configFrom(options));
      log.info('models and plans read again');
      if (settings.length > 0) log.warn({ settings }, 'these settings changed too, and need a new start');
    } catch (err) {
      log.error({ err }, 'configuration not changed');
    }
  });
  process.once('SIGTERM', (signal) => void stop(signal));
  process.once('SIGINT', (signal) => void stop(signal));
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

function banner(server: HearthServer, config: Config): string {
  const { baseUrl, bootstrap, catalog } = server;
  const models = catalog.list();
  const chatModel = preferredChatModel(models);
  const command = (...args: string[]) => shellCommand([...args, ...sameFolder(config)]);
  const lines = [`hearth ${packageVersion}, data in ${config.dataDir}`];
  if (models.length === 0)
    lines.push(
      `no models yet: put GGUF files into a --models-dir, or get one with\n  ${command('models', 'pull')}`,
    );
  else
    lines.push(
      `models: ${models.map((model) => (isDemo(model) ? `${model.id} (demo)` : model.id)).join(', ')}`,
    );
  if (chatModel !== undefined && isDemo(chatModel))
    lines.push(
      '',
      `${chatModel.id} is a tiny demo that knows little. What else runs well on this machine:`,
      `  ${command('models', 'pull')}`,
    );
  const isNew = bootstrap.outcome === 'created';
  if (chatModel !== undefined) {
    const body = JSON.stringify({ model: chatModel.id, messages: [{ role: 'user', content: 'Hello' }] });
    const key = isNew ? bootstrap.secret : bootstrap.outcome === 'existing' ? 'YOUR_KEY' : '$HEARTH_API_KEY';
    lines.push('', 'Try it:', curlLine(`${baseUrl}/chat/completions`, key, body));
  }
  lines.push('', `API:          ${baseUrl}`, `Reference:    ${new URL('/docs', baseUrl).href}`);
  lines.push(...keyLines(bootstrap, command));
  // A log must hold no code, so it is for terminals only.
  if (process.stdout.isTTY)
    lines.push('', `Open in a browser of this machine, within ten minutes: ${server.pageLink()}`);
  else lines.push(`Page:         ${new URL('/', baseUrl).href}`);
  return `${lines.join('\n')}\n`;
}

/** The lines about keys, which come last on the screen. */
function keyLines(bootstrap: Bootstrap, command: (...args: string[]) => string): string[] {
  const another = command('keys', 'create', '--account', bootstrapAccountName);
  switch (bootstrap.outcome) {
    case 'created':
      return [`Your API key, shown only this once: ${bootstrap.secret}`];
    case 'created-from-environment':
      return ['Your API key is the one in HEARTH_API_KEY.'];
    case 'existing':
      return [
        ...(bootstrap.unknownApiKey ? ['HEARTH_API_KEY is not a key of this data folder.'] : []),
        'Your API key was shown at the first start. For another one, in a second terminal:',
        `  ${another}`,
      ];
    default:
      return bootstrap satisfies never;
  }
}

const curlLine = (url: string, key: string, body: string) =>
  `curl ${url} -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`;
