import path from 'node:path';
import { launchdLabel, launchdPlist } from './launchd-plist.ts';
import { systemdUnit, type ServiceScope } from './systemd-unit.ts';

/** A file for a service manager, and the commands for it. All of it is shown to the user as it is. */
export interface ServicePlan {
  readonly manager: 'systemd' | 'launchd';
  readonly file: string;
  readonly text: string;
  /** Fails where the manager does not run. */
  readonly probe: readonly string[];
  /** After the file was written for the first time. */
  readonly install: readonly (readonly string[])[];
  /** After another file was written in its place. */
  readonly reinstall: readonly (readonly string[])[];
  /** Before the file is removed. */
  readonly uninstall: readonly (readonly string[])[];
  /** After the file was removed. */
  readonly forget: readonly (readonly string[])[];
  /** Succeeds while the service runs. */
  readonly isActive: readonly string[];
  /** How to see its output, the first key above all. */
  readonly logs: string;
  /** How a variable is set that has no place in the file, because it is secret. */
  readonly secretsGoTo: string;
  /** A command that the user may want to run as well. */
  readonly advice: string | undefined;
}

export interface ServiceSetting {
  readonly platform: NodeJS.Platform;
  readonly scope: ServiceScope;
  readonly homeDir: string;
  /** XDG_CONFIG_HOME; undefined: not set. */
  readonly configHome: string | undefined;
  readonly uid: number;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** The mark by which a file is known to be hearth's own. */
export const writtenByHearth = 'Written by "hearth service install"';

/** The plan for this machine's service manager; undefined: it has none of that scope. Throws RangeError. */
export function planService(setting: ServiceSetting): ServicePlan | undefined {
  if (setting.platform === 'linux') return planSystemd(setting);
  // A daemon of the machine would run as root.
  if (setting.platform === 'darwin' && setting.scope === 'user') return planLaunchd(setting);
  return undefined;
}

function planSystemd({ scope, homeDir, configHome, command, environment }: ServiceSetting): ServicePlan {
  const isUser = scope === 'user';
  const userFolder = configHome?.startsWith('/') ? configHome : path.posix.join(homeDir, '.config');
  const folder = isUser ? path.posix.join(userFolder, 'systemd/user') : '/etc/systemd/system';
  const systemctl = (...args: string[]) => ['systemctl', ...(isUser ? ['--user'] : []), ...args];
  const unit = 'hearth.service';
  return {
    manager: 'systemd',
    file: path.posix.join(folder, unit),
    text: `# ${writtenByHearth}.\n\n${systemdUnit({ command, environment, scope })}`,
    probe: systemctl('show', '--property=Version'),
    install: [systemctl('daemon-reload'), systemctl('enable', '--now', unit)],
    reinstall: [systemctl('daemon-reload'), systemctl('enable', unit), systemctl('restart', unit)],
    uninstall: [systemctl('disable', '--now', unit)],
    forget: [systemctl('daemon-reload')],
    isActive: systemctl('is-active', '--quiet', unit),
    logs: `journalctl ${isUser ? '--user ' : ''}-u hearth -o cat`,
    secretsGoTo: `write NAME=VALUE into ${path.posix.join(isUser ? userFolder : '/etc', 'hearth/env')}`,
    advice: isUser ? 'loginctl enable-linger, for it to run while you are not logged in' : undefined,
  };
}

function planLaunchd({ homeDir, uid, command, environment }: ServiceSetting): ServicePlan {
  const library = path.posix.join(homeDir, 'Library');
  const file = path.posix.join(library, 'LaunchAgents', `${launchdLabel}.plist`);
  const logFile = path.posix.join(library, 'Logs', 'hearth.log');
  const domain = `gui/${uid}`;
  const service = `${domain}/${launchdLabel}`;
  const load = ['launchctl', 'bootstrap', domain, file];
  const unload = ['launchctl', 'bootout', service];
  return {
    manager: 'launchd',
    file,
    text: launchdPlist({ command, environment, logFile }).replace(
      '<plist ',
      `<!-- ${writtenByHearth}. -->\n<plist `,
    ),
    probe: ['launchctl', 'print', domain],
    install: [load],
    reinstall: [unload, load],
    uninstall: [unload],
    forget: [],
    isActive: ['launchctl', 'print', service],
    logs: `tail -f ${logFile}`,
    secretsGoTo: 'run: launchctl setenv NAME VALUE',
    advice: undefined,
  };
}
