import { readFile } from 'node:fs/promises';

/** Linux counts in hundredths of a second, whatever the machine. */
const msPerTick = 10;

/** Milliseconds that all threads of a process have computed; undefined where the system does not tell. */
export async function cpuTimeMs(pid: number | undefined): Promise<number | undefined> {
  const stat = await readProcess(pid, 'stat');
  // The program's name is in parentheses and may hold spaces. User and system time are fields 12 and 13 after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks * msPerTick : undefined;
}

/** Bytes of memory that a process really uses; 0 where the system does not tell, or the process is gone. */
export async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readProcess(pid, 'status');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}

/** The text of one of a process's files on Linux; '' elsewhere, or when the process is gone. */
async function readProcess(pid: number | undefined, file: 'stat' | 'status'): Promise<string> {
  if (process.platform !== 'linux' || pid === undefined) return '';
  return await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
}
