import { readFile } from 'node:fs/promises';

/** Linux counts in hundredths of a second, whatever the machine. */
const msPerTick = 10;

/** Milliseconds that all threads of a process have computed; undefined where the system does not tell. */
export async function cpuTimeMs(pid: number | undefined): Promise<number | undefined> {
  if (process.platform !== 'linux' || pid === undefined) return undefined;
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The program's name is in parentheses and may hold spaces. User and system time are fields 12 and 13 after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks * msPerTick : undefined;
}
