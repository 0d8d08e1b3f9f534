import { readFileSync } from 'node:fs';

/** Clock ticks per second in /proc, the same on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** A process and all that descend from it; itself only where /proc does not tell. */
export function processTree(pid: number): number[] {
  const children = readProc(`${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(processTree)];
}

/** Resident memory of a process in bytes; undefined where /proc does not tell. */
export function processRssBytes(pid: number): number | undefined {
  const kibibytes = /VmRSS:\s+(\d+)/.exec(readProc(`${pid}/status`))?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

/** CPU time that a process used so far, all its threads together; undefined where /proc does not tell. */
export function processCpuSeconds(pid: number): number | undefined {
  const stat = readProc(`${pid}/stat`);
  // The second field is the program's name in parentheses and may itself hold spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]];
  return user === undefined || system === undefined
    ? undefined
    : (Number(user) + Number(system)) / ticksPerSecond;
}

export interface MachineCpu {
  /** Time in which a processor worked for anyone, also for other virtual machines (steal). */
  readonly busySeconds: number;
  /** Time of all processors together. */
  readonly totalSeconds: number;
}

/** CPU time of the whole machine since it started; undefined where /proc does not tell. */
export function machineCpu(): MachineCpu | undefined {
  const [firstLine = ''] = readProc('stat').split('\n');
  // user nice system idle iowait irq softirq steal; guest times are part of user already
  const ticks = firstLine.trim().split(/\s+/).slice(1, 9).map(Number);
  if (ticks.length < 8) return undefined;
  const total = ticks.reduce((sum, value) => sum + value, 0);
  const idle = (ticks[3] ?? 0) + (ticks[4] ?? 0);
  return { busySeconds: (total - idle) / ticksPerSecond, totalSeconds: total / ticksPerSecond };
}

/** CPU time that this process used so far. */
export function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function readProc(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'latin1');
  } catch {
    return '';
  }
}
