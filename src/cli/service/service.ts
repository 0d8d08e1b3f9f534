import type { Command } from 'commander';
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { ServicePlan } from '../../system-service/service-plan.ts';
import type { ServiceSettings } from '../../system-service/service-settings.ts';
import { systemUser } from '../../system-service/systemd-unit.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { addServeOptions, configFrom, type ConfigOptions } from '../context.ts';
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
        if (!uninstallService((await planFrom(flags)).plan, say)) say('no service is installed');
      }),
    );

  withFlags(command.command('status'))
    .description('say whether the service is installed and runs; exits with 1 where it does not run')
    .option('--json', 'print one JSON document')
    .action((flags: ServiceFlags) => orFail(() => tellStatus(flags)));
}

function withFlags(command: Command): Command {
  return addServeOptions(
    command.option('--system', 'a service of the machine, as root, instead of one of this user (Linux)'),
  );
}

async function install(flags: ServiceFlags): Promise<void> {
  const { installService } = await import('../../system-service/manage-service.ts');
  const { plan, told, secrets } = await planFrom(flags);
  for (const setting of told) say(`the service has ${setting}`);
  for (const name of secrets)
    say(`the service does not have ${name}, because others can read its file: ${plan.secretsGoTo}`);
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
  const { plan } = await planFrom(flags);
  const status = serviceStatus(plan);
  if (!status.active) process.exitCode = 1;
  if (flags.json === true) return printJson(status);
  const installed = status.current
    ? 'yes'
    : 'yes, with other settings than those of this command, or by another version';
  printFields([
    ['file', status.file],
    ['installed', status.installed ? installed : 'no'],
    ['runs', status.active ? 'yes' : 'no'],
    ['logs', plan.logs],
  ]);
}

interface PlannedService extends Pick<ServiceSettings, 'told' | 'secrets'> {
  readonly plan: ServicePlan;
}

async function planFrom(flags: ServiceFlags): Promise<PlannedService> {
  const [{ planService }, { serviceSettings }] = await Promise.all([
    import('../../system-service/service-plan.ts'),
    import('../../system-service/service-settings.ts'),
  ]);
  const scope = flags.system === true ? 'system' : 'user';
  const { env, platform } = process;
  const machine = { platform, homeDir: homedir() };
  const config = configFrom(flags);
  const settings = serviceSettings({ flags, env, cwd: process.cwd(), machine, scope, config });
  const { environment, told, secrets } = settings;
  const command = [...programWords(), 'serve', ...settings.flags];
  const hidden = [...command, ...Object.values(environment)].find((word) =>
    /^\/(?:home|root|run\/user)\//.test(word),
  );
  if (scope === 'system' && hidden !== undefined)
    throw new CliError(
      `a service of the machine sees no home folders, and ${hidden} is in one`,
      'install hearth with "npm install -g", keep its files elsewhere, or leave --system out',
    );
  const plan = planService({
    ...machine,
    scope,
    configHome: env['XDG_CONFIG_HOME'],
    uid: process.getuid?.() ?? 0,
    command,
    environment,
  });
  if (plan !== undefined) return { plan, told, secrets };
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

function checkSystemUser(): void {
  if (process.getuid?.() !== 0) throw new CliError('a service of the machine needs root', 'run it with sudo');
  if (spawnSync('id', [systemUser], { stdio: 'ignore' }).status === 0) return;
  throw new CliError(
    `the service runs as the user ${systemUser}, who does not exist`,
    `make it: useradd --system --home-dir /var/lib/hearth --shell /usr/sbin/nologin ${systemUser}`,
  );
}
