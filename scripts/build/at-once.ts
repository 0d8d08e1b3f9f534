/**
 * Runs the npm scripts that its arguments name at the same time, and prints the output of each once it has ended. Most of
 * them compute in one thread only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

async function runScript(name: string): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [ended, stdout, stderr] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    buffer(child.stdout),
    buffer(child.stderr),
  ]);
  process.stdout.write(`\n> ${name}\n`);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  return ended[0] === 0;
}

const passed = await Promise.all(process.argv.slice(2).map(runScript));
if (passed.includes(false)) process.exitCode = 1;
