/**
 * Runs the command of an MCP server in a process group of its own. All of the group
 * ends with the command, on SIGTERM, and when the parent is gone, even by kill -9.
 */
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const killDelayMs = 1000;
const watchMs = 500;

const [command = '', ...args] = process.argv.slice(2);
const parentPid = process.ppid;
const child = spawn(command, args, { stdio: ['inherit', 'pipe', 'inherit'], detached: true });
// Not to `process.stdout`, whose writes would keep this process from its signals while nobody reads.
const passedOn = pipeline(child.stdout, withoutMark, createWriteStream('', { fd: 1 })).catch(() => undefined);

/** Some runtimes begin their output with a mark of UTF-8, which no JSON begins with. */
async function* withoutMark(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let mark = Buffer.from('\uFEFF');
  for await (const chunk of output) {
    yield mark.length > 0 && chunk.indexOf(mark) === 0 ? chunk.subarray(mark.length) : chunk;
    mark = Buffer.alloc(0);
  }
}

function signalAll(signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
  } catch {
    // None of them is left.
  }
}

child.once('error', ({ message }) => {
  process.stderr.write(`${message}\n`);
  process.exit(127);
});
child.once('exit', (code) => {
  signalAll('SIGKILL');
  void Promise.race([passedOn, sleep(killDelayMs)]).then(() => process.exit(code ?? 1));
});
// A terminal sends these to the server too, which decides when its tools end.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('SIGTERM', () => {
  signalAll('SIGTERM');
  setTimeout(() => signalAll('SIGKILL'), killDelayMs);
});
setInterval(() => {
  if (process.ppid !== parentPid) signalAll('SIGKILL');
}, watchMs);
