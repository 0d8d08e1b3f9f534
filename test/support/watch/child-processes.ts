import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const patienceMs = 30_000;

/** Ids of the processes that `pid` has started and that are not gone. Linux only. */
export function childrenOf(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/**
 * Stops the children of `pid` that run `program`, once there are any, as if the machine had no time for them. Returns a
 * function that lets them go on. Linux only.
 */
export async function stopChildren(pid: number, program: string): Promise<() => void> {
  const deadlineMs = Date.now() + patienceMs;
  let found: number[] = [];
  while (found.length === 0) {
    if (Date.now() > deadlineMs) throw new Error(`no process of ${program} was started`);
    await sleep(5);
    found = childrenOf(pid).filter((child) => commandOf(child).includes(program));
  }
  for (const child of found) process.kill(child, 'SIGSTOP');
  return () => {
    for (const child of found) if (commandOf(child) !== '') process.kill(child, 'SIGCONT');
  };
}

/** Empty for a process that is gone. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
