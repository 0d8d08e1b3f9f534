/**
 * Runs the command of an MCP server, which gets this process's own pipes, in a process group of its own. All of the group
 * ends with the command, on SIGTERM, and when the parent is gone, even by kill -9.
 */
import { spawn } from 'node:child_process';

const killDelayMs = 1000;
const watchMs = 500;

const [command = '', ...args] = process.argv.slice(2);
const parentPid = process.ppid;
const child = spawn(command, args, { stdio: 'inherit', detached: true });

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
  process.exit(code ?? 1);
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
