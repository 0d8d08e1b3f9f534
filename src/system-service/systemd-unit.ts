/** Who runs the service: the user who installs it, or the machine for all of them. */
export type ServiceScope = 'user' | 'system';

export interface ServiceProgram {
  /** The program and its arguments, each as it is. */
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly scope: ServiceScope;
}

/** User and group of a service of the machine. */
export const systemUser = 'hearth';

/** Needs no privileges, so that the service manager of a user can do it too. */
const hardening = `NoNewPrivileges=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
# Not MemoryDenyWriteExecute: JavaScript is compiled while it runs.`;

const systemHardening = `# Of the machine it sees the models and writes its data folder only. Models in a home folder need
# BindReadOnlyPaths=/home/me/models beside ProtectHome=tmpfs.
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectControlGroups=yes
# A GPU needs its devices; without one PrivateDevices=yes is safer still.
PrivateDevices=no
CapabilityBoundingSet=
AmbientCapabilities=
RemoveIPC=yes`;

/** The unit by which systemd runs this program, without a comment above it. Throws RangeError. */
export function systemdUnit({ command, environment = {}, scope }: ServiceProgram): string {
  const isSystem = scope === 'system';
  const lines = [
    '[Unit]',
    'Description=hearth, a private model service',
    ...(isSystem ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    'StartLimitIntervalSec=60',
    'StartLimitBurst=5',
    '',
    '[Service]',
    'Type=exec',
    ...(isSystem ? [`User=${systemUser}`, `Group=${systemUser}`] : []),
    `Environment=NODE_ENV=production${isSystem ? ' HEARTH_DATA_DIR=/var/lib/hearth' : ''}`,
    ...Object.entries(environment).map(([name, value]) => `Environment=${quoteWord(`${name}=${value}`)}`),
    '# For HEARTH_CONFIG, HF_TOKEN, HTTPS_PROXY and the like; it may be missing.',
    `EnvironmentFile=-${isSystem ? '/etc' : '%E'}/hearth/env`,
    ...(isSystem ? ['# hearth.yaml lies there, where there is one.', 'WorkingDirectory=-/etc/hearth'] : []),
    `ExecStart=${execLine(command)}`,
    '# Models and plans are read again; running answers go on.',
    'ExecReload=/bin/kill -HUP $MAINPID',
    'Restart=on-failure',
    'RestartSec=2',
    '# Longer than shutdownGrace, which running answers get to finish.',
    'TimeoutStopSec=60',
    '# Downloads and file checks run in processes of their own; SIGTERM to the server ends them.',
    'KillMode=mixed',
    ...(isSystem ? ['StateDirectory=hearth', 'StateDirectoryMode=0700'] : []),
    'UMask=0077',
    'LimitNOFILE=65536',
    '',
    ...(isSystem ? [systemHardening] : []),
    hardening,
    '',
    '[Install]',
    `WantedBy=${isSystem ? 'multi-user' : 'default'}.target`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The words as one line that systemd takes apart into the same words. Throws RangeError. */
export function execLine([program = '', ...args]: readonly string[]): string {
  // systemd replaces variables in arguments, and specifiers everywhere.
  return [quoteWord(program), ...args.map((word) => quoteWord(word).replaceAll('$', '$$$$'))].join(' ');
}

function quoteWord(word: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(word))
    throw new RangeError(`a service cannot be given ${JSON.stringify(word)}: it has control characters`);
  const escaped = word.replaceAll('%', '%%');
  if (/^[\w@%+=:,./~$-]+$/.test(escaped)) return escaped;
  return `"${escaped.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`;
}
