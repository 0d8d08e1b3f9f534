import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { uptime } from 'node:os';
import type { Config } from '../config/types.ts';
import { ConfigError } from '../errors/operator-errors.ts';

/**
 * The base address, such as `http://127.0.0.1:8080/v1`, once `http` takes connections. Throws ConfigError where it
 * cannot.
 */
export async function listen(
  http: Server,
  { host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>,
): Promise<string> {
  http.listen(port, host);
  try {
    await once(http, 'listening');
    return baseUrlOf(http.address() as AddressInfo, tls === undefined ? 'http' : 'https');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      const holder = findPortHolder(port);
      throw new ConfigError(
        `port ${port} on ${host} is taken${holder === undefined ? '' : ` by ${describeProcess(holder)}`}`,
        `${holder === undefined ? 'stop what uses it' : `stop it with "${stopCommand(holder.pid)}"`}, or choose another --port`,
      );
    }
    if (code === 'EACCES')
      throw new ConfigError(`port ${port} may not be opened`, 'choose a --port above 1023');
    if (code === 'EADDRNOTAVAIL')
      throw new ConfigError(`${host} is no address of this machine`, 'choose another --host');
    throw error;
  }
}

function baseUrlOf({ address, family, port }: AddressInfo, protocol: string): string {
  const anywhere = address === '0.0.0.0' || address === '::';
  const host = anywhere ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return `${protocol}://${host}:${port}/v1`;
}

/** A process of this machine. */
interface RunningProcess {
  readonly pid: number;
  /** undefined: not known. */
  readonly sinceMs?: number | undefined;
  /** Its command line; undefined: not known. */
  readonly command?: string | undefined;
}

const maxCommandLength = 80;

/** Such as `process 4711 (node src/cli.ts serve), which runs since 2026-11-20 09:30`, in local time. */
export function describeProcess({ pid, sinceMs, command }: RunningProcess): string {
  // The folders of a program and its script may be longer than the limit, and the arguments say more.
  const told = command?.replaceAll(/(?<=^(?:\S+ )?)\/\S*\/(?=[^/\s]+\/)/g, '').slice(0, maxCommandLength);
  const what = told === undefined ? '' : ` (${told})`;
  return `process ${pid}${what}${sinceMs === undefined ? '' : `, which runs since ${toLocalTime(sinceMs)}`}`;
}

/** A line for the user's shell that ends the process as it ends by itself. */
export function stopCommand(pid: number): string {
  return process.platform === 'win32' ? `taskkill /F /PID ${pid}` : `kill ${pid}`;
}

function toLocalTime(ms: number): string {
  const shifted = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16).replace('T', ' ');
}

/** The process of this user that listens on a TCP port; undefined where the system does not tell. Never throws. */
function findPortHolder(port: number): RunningProcess | undefined {
  try {
    const isLinux = process.platform === 'linux';
    const pid = isLinux ? pidByProc(port) : pidByLsof(port);
    return pid === undefined ? undefined : { pid, ...(isLinux ? inspectByProc(pid) : inspectByPs(pid)) };
  } catch {
    return undefined;
  }
}

/** Column of /proc/net/tcp with the socket's state, its value for a socket that listens, and the column of its inode. */
const [stateColumn, listening, inodeColumn] = [3, '0A', 9] as const;

function pidByProc(port: number): number | undefined {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) => readLines(file));
  const sockets = rows
    .map((row) => row.trim().split(/\s+/))
    .filter((fields) => fields[1]?.endsWith(suffix) && fields[stateColumn] === listening)
    .map((fields) => `socket:[${fields[inodeColumn]}]`);
  if (sockets.length === 0) return undefined;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).find((pid) => openFiles(pid).some((file) => sockets.includes(file)));
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return []; // Without IPv6 there is no tcp6.
  }
}

/** The targets of a process's file descriptors; none of another user's process. */
function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        return [readlinkSync(`/proc/${pid}/fd/${name}`)];
      } catch {
        return []; // It was closed meanwhile.
      }
    });
  } catch {
    return [];
  }
}

/** As Linux counts the time of processes, on every architecture that Node runs on. */
const ticksPerSecond = 100;

/** Small machines and images of containers have no `ps`. */
function inspectByProc(pid: number): Omit<RunningProcess, 'pid'> {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in parentheses and may have spaces; the 20th field behind it is the start.
  const startTicks = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[19]);
  return { command, sinceMs: Date.now() - (uptime() - startTicks / ticksPerSecond) * 1000 };
}

function pidByLsof(port: number): number | undefined {
  const { stdout } = spawnSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], toolOptions);
  const pid = Number.parseInt(stdout ?? '', 10);
  return Number.isInteger(pid) ? pid : undefined;
}

const toolOptions = { encoding: 'utf8', timeout: 3000, env: { ...process.env, LC_ALL: 'C' } } as const;

function inspectByPs(pid: number): Omit<RunningProcess, 'pid'> {
  const { status, stdout } = spawnSync('ps', ['-o', 'etime=,args=', '-p', String(pid)], toolOptions);
  const [, days = 0, hours = 0, minutes, seconds, command] =
    /^\s*(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)\s+(.+)$/m.exec(stdout ?? '') ?? [];
  if (status !== 0 || command === undefined) return {};
  const ageSeconds = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  return { sinceMs: Date.now() - ageSeconds * 1000, command };
}
