import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const pollMs = 300;
const heartbeatMs = 15_000;
/** Its holder shows signs of life far more often. */
const staleAfterMs = 90_000;

/**
 * Resolves to a release function once this call is the only holder of the lock file at `path`, among all
 * processes. The lock of a process that is gone is taken over. `onWait` is called once when it is not free.
 */
export async function acquireFileLock(
  path: string,
  {
    signal,
    onWait,
  }: { readonly signal?: AbortSignal | undefined; readonly onWait?: (() => void) | undefined } = {},
): Promise<() => Promise<void>> {
  let waited = false;
  while (!(await tryCreate(path))) {
    signal?.throwIfAborted();
    if (await isStale(path)) {
      await rm(path, { force: true });
      continue;
    }
    if (!waited) onWait?.();
    waited = true;
    await sleep(pollMs, undefined, signal === undefined ? {} : { signal });
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    // Somebody removed it by hand: nothing to keep fresh.
    utimes(path, now, now).catch(() => undefined);
  }, heartbeatMs);
  heartbeat.unref();
  return async () => {
    clearInterval(heartbeat);
    await rm(path, { force: true });
  };
}

async function tryCreate(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx');
    await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }));
    await handle.close();
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > staleAfterMs) return true;
    const holder: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof holder !== 'object' || holder === null || !('pid' in holder) || !('host' in holder))
      return false;
    return holder.host === hostname() && typeof holder.pid === 'number' && !isAlive(holder.pid);
  } catch {
    // It went away, or its holder has not written it yet: look again.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process exists all the same.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
