import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../../errors/operator-errors.ts';
import { errorCodeOf } from '../../words/describe-error.ts';
import type { Agent } from './agents.ts';

const passedSignals = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Runs the agent in this terminal, in the folder where the user called hearth, and gives back its exit code: 128 and
 * the signal's number where a signal ended it. Throws CliError where its command is not installed.
 */
export async function runAgent(
  agent: Agent,
  { env, args: own, file }: ReturnType<Agent['prepare']>,
  args: readonly string[],
): Promise<number> {
  // Only the user may read this folder, whose file may have the key.
  const folder = file && (await mkdtemp(join(tmpdir(), 'hearth-launch-')));
  try {
    const path = folder && join(folder, 'settings.json');
    if (path) await writeFile(path, JSON.stringify(file.content));
    return await run(agent, [...own, ...args], path ? { ...env, [file.variable]: path } : env);
  } finally {
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

async function run(
  agent: Agent,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const inherited = Object.entries(process.env).filter(([name]) => !agent.unset.includes(name));
  const child = spawn(agent.command, args, {
    stdio: 'inherit',
    env: { ...Object.fromEntries(inherited), ...env },
    // npm runs scripts in the folder of the clone.
    cwd: process.env['INIT_CWD'] ?? process.cwd(),
  });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  // A terminal sends Ctrl-C to the agent too, which decides what it means.
  const interrupt = () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  };
  process.on('SIGINT', interrupt);
  for (const signal of passedSignals) process.on(signal, pass);
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('exit', (code, signal) =>
        resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
      );
      child.once('error', (error) => reject(toCliError(agent, error)));
    });
  } finally {
    process.off('SIGINT', interrupt);
    for (const signal of passedSignals) process.off(signal, pass);
  }
}

function toCliError({ command, npmPackage }: Agent, error: Error): Error {
  if (errorCodeOf(error) !== 'ENOENT') return error;
  return new CliError(
    `the command "${command}" is not installed`,
    `install it with: npm install --global ${npmPackage}`,
  );
}
