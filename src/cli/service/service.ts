import type { Command } from 'commander';
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ServicePlan } from '../../system-service/service-plan.ts';
import { systemUser } from '../../system-service/systemd-unit.ts';
import { defaultDataDir } from '../../config/paths.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { configFrom, type ConfigOptions } from '../context.ts';
import { orFail, printFields, printJson } from '../output.ts';

interface ServiceFlags extends ConfigOptions {
  readonly system?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const say = (step: string): void => void process.stdout.write(`${step}\n`);

export function registerServiceCommand(program: Command): void {
  const command = program
    .command('service')
    .description(
      'have systemd (Linux) or launchd (macOS) run the server, from login or start of the machine on',
    );

  withFlags(command.command('install'))
    .description('write the file of the service, have it started, and say each step')
    .option('--dry-run', 'show the file and the commands, and do nothing')
    .action((flags: ServiceFlags) => orFail(() => install(flags)));

  withFlags(command.command('uninstall'))
    .description('stop the service and remove its file; the data folder stays')
    .action((flags: ServiceFlags) =>
      orFail(async () => {
        const { uninstallService } = await import('../../system-service/manage-service.ts');
        if (!uninstallService(await planFrom(flags), say)) say('no service is installed');
      }),
    );

  withFlags(command.command('status'))
    .description('say whether the service is installed and runs; exits with 1 where it does not run')
    .option('--json', 'print one JSON document')
    .action((flags: ServiceFlags) => orFail(() => tellStatus(flags)));
}

function withFlags(command: Command): Command {
  return command
    .option('--system', 'a service of the machine, as root, instead of one of this user (Linux)')
    .option('--config <file>', 'YAML file of settings that the service is started with')
    .option('--data-dir <folder>', 'folder of the database and of downloaded models');
}

async function install(flags: ServiceFlags): Promise<void> {
  const { installService } = await import('../../system-service/manage-service.ts');
  const plan = await planFrom(flags);
  if (flags.dryRun === true) {
    const commands = plan.install.map((words) => `run ${words.join(' ')}`);
    say([`write ${plan.file}:`, '', plan.text, ...commands].join('\n'));
    return;
  }
  if (flags.system === true) checkSystemUser();
  installService(plan, say);
  say(`the service was started; its first key is in: ${plan.logs}`);
  if (plan.advice !== undefined) say(`run also: ${plan.advice}`);
}

async function tellStatus(flags: ServiceFlags): Promise<void> {
  const { serviceStatus } = await import('../../system-service/manage-service.ts');
  const plan = await planFrom(flags);
  const status = serviceStatus(plan);
  if (!status.active) process.exitCode = 1;
  if (flags.json === true) return printJson(status);
  const installed = status.current ? 'yes' : 'yes, by other settings or another version: install it again';
  printFields([
    ['file', status.file],
    ['installed', status.installed ? installed : 'no'],
    ['runs', status.active ? 'yes' : 'no'],
    ['logs', plan.logs],
  ]);
}

async function planFrom(flags: ServiceFlags): Promise<ServicePlan> {
  const { planService } = await import('../../system-service/service-plan.ts');
  const scope = flags.system === true ? 'system' : 'user';
  const command = [...programWords(), 'serve', ...settingFlags(flags)];
  const hidden = command.find((word) => /^\/(?:home|root|run\/user)\//.test(word));
  if (scope === 'system' && hidden !== undefined)
    throw new CliError(
      `a service of the machine sees no home folders, and ${hidden} is in one`,
      'install hearth with "npm install -g", or leave --system out',
    );
  const plan = planService({
    platform: process.platform,
    scope,
    homeDir: homedir(),
    configHome: process.env['XDG_CONFIG_HOME'],
    uid: process.getuid?.() ?? 0,
    command,
  });
  if (plan !== undefined) return plan;
  throw new CliError(
    process.platform === 'darwin'
      ? 'on macOS the service is one of a user: leave --system out'
      : `no service manager of ${process.platform} is known`,
    'docs/operating.md says how to do it by hand',
  );
}

/** This Node and this program; a link is followed, because it may be gone after an update of Node. */
function programWords(): string[] {
  return [process.execPath, realpathSync(path.resolve(process.argv[1] ?? ''))];
}

/** The flags that are given or found now, made absolute: a service is started in another folder. */
function settingFlags(flags: ServiceFlags): string[] {
  const { configFile, dataDir } = configFrom(flags);
  const usual = defaultDataDir(process.env, { platform: process.platform, homeDir: homedir() });
  const isUsual = dataDir === usual && (flags.system === true || process.env['XDG_DATA_HOME'] === undefined);
  return [
    ...(configFile === undefined ? [] : ['--config', configFile]),
    ...(isUsual ? [] : ['--data-dir', dataDir]),
  ];
}

function checkSystemUser(): void {
  if (process.getuid?.() !== 0) throw new CliError('a service of the machine needs root', 'run it with sudo');
  if (spawnSync('id', [systemUser], { stdio: 'ignore' }).status === 0) return;
  throw new CliError(
    `the service runs as the user ${systemUser}, who does not exist`,
    `make it: useradd --system --home-dir /var/lib/hearth --shell /usr/sbin/nologin ${systemUser}`,
  );
}
