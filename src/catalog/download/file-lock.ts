import { open, readFile, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { errorCodeOf } from '../../words/describe-error.ts';

const pollMs = 300;
const heartbeatMs = 15_000;
/** A lock file that was not touched for this long has lost its holder, which touches it every `heartbeatMs`. */
const staleAfterMs = 90_000;
const holderSchema = z.object({ pid: z.number(), host: z.string() });

/**
 * Waits for the lock file at `path`, which one call in one process holds at a time, and resolves to the function that
 * releases it. The lock of a process that is gone is taken over. `onWait` is called once when there is a wait.
 */
export async function acquireFileLock(
  path: string,
  signal: AbortSignal,
  onWait: () => void,
): Promise<() => Promise<void>> {
  let waited = false;
  while (!(await tryCreate(path))) {
    signal.throwIfAborted();
    if (await isStale(path)) {
      await rm(path, { force: true });
      continue;
    }
    if (!waited) onWait();
    waited = true;
    await sleep(pollMs, undefined, { signal });
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    // It fails when the file was removed by hand; then there is nothing to keep fresh.
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
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > staleAfterMs) return true;
    const { pid, host } = holderSchema.parse(JSON.parse(await readFile(path, 'utf8')));
    return host === hostname() && !isAlive(pid);
  } catch {
    // The file is gone, or its holder has not written to it yet: the next look tells.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return errorCodeOf(error) === 'EPERM';
  }
}
