import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { z } from 'zod';
import { packageVersion } from '../../config/package-version.ts';
import { CliError } from '../../errors/operator-errors.ts';
import { orFail, printJson, printLines } from '../output.ts';
import { shellCommand } from '../own-command.ts';

/** src and dist lie equally deep in the package. */
const packageDir = fileURLToPath(new URL('../../../', import.meta.url));

export function registerUpdateCommand(program: Command): void {
  program
    .command('update')
    .description('say whether there is a newer hearth and how to get it; installs nothing')
    .option('--json', 'print one JSON document')
    .action(({ json }: { json?: boolean }) => orFail(() => tellNewer(json === true)));
}

function tellNewer(json: boolean): void {
  const own = JSON.parse(readFileSync(`${packageDir}package.json`, 'utf8')) as OwnPackage;
  const found = findNewer(packageDir, own);
  if (json) return printJson(found);
  const { source, current, latest, isNewer, commands } = found;
  const lines = isNewer
    ? [
        `${source} has ${latest}; this is ${current}. To get it:`,
        `  ${shellCommand(['backup'])} FILE`,
        ...commands.map((line) => `  ${line}`),
      ]
    : [`this is the newest: ${current}, as ${source} has it`];
  printLines(lines);
}

/** The latest version, and how to get it where it is newer than this program. */
export interface Newer {
  /** The place that was asked: the repository of a clone, or npm's registry. */
  readonly source: string;
  readonly current: string;
  readonly latest: string;
  readonly isNewer: boolean;
  /** Commands to get it, for the user to run. */
  readonly commands: readonly string[];
}

/** The package as it describes itself. */
export interface OwnPackage {
  readonly name: string;
  readonly description: string;
}

const timeoutMs = 20_000;

/** Compares with where this program came from; only the question goes out. Throws CliError. */
export function findNewer(folder: string, own: OwnPackage): Newer {
  return existsSync(path.join(folder, '.git')) ? askRepository(folder) : askRegistry(own);
}

function askRepository(folder: string): Newer {
  const git = (...args: string[]) => run('git', ['-C', folder, ...args]);
  const remote = git('remote', 'get-url', 'origin');
  if (remote.status !== 0) throw new CliError(`the clone ${folder} has no origin to ask`);
  const answer = git('ls-remote', '--exit-code', 'origin', 'HEAD');
  if (answer.status !== 0) throw unreachable('the origin of this clone', answer.stderr);
  const latest = answer.stdout.split(/\s/)[0] ?? '';
  const current = git('rev-parse', 'HEAD').stdout.trim();
  return {
    source: 'the origin of this clone',
    current: current.slice(0, 12),
    latest: latest.slice(0, 12),
    // A commit that is not here yet, or is not part of the checked-out branch.
    isNewer: git('merge-base', '--is-ancestor', latest, 'HEAD').status !== 0,
    commands: [`git -C "${folder}" pull`, `npm --prefix "${folder}" install`],
  };
}

function askRegistry({ name, description }: OwnPackage): Newer {
  const source = "npm's registry";
  const answer = run('npm', ['view', name, 'version', 'description', '--json']);
  const notPublished = new CliError(
    `hearth is not on ${source}`,
    'get a newer one where this one came from; docs/changelog.md there says what is new',
  );
  if (/E404/.test(answer.stdout + answer.stderr)) throw notPublished;
  const document = parseJson(answer.stdout);
  if (answer.status !== 0)
    throw unreachable(source, npmFailure.safeParse(document).data?.error.summary ?? answer.stderr);
  if (document === undefined) throw unreachable(source, 'npm did not understand its answer');
  const found = publishedPackage.safeParse(document);
  // Another package may have the name; of one without a description npm tells the version alone.
  if (!found.success || found.data.description !== description) throw notPublished;
  const latest = found.data.version;
  return {
    source,
    current: packageVersion,
    latest,
    isNewer: isLater(latest, packageVersion),
    commands: [`npm install -g ${name}@${latest}`],
  };
}

/** npm's answer about a package. The version becomes a part of a command that the user is to run. */
const publishedPackage = z.object({
  version: z.string().regex(/^\d+\.\d+\.\d+[\w.+-]*$/),
  description: z.string(),
});

/** npm's answer where it fails. */
const npmFailure = z.object({ error: z.object({ summary: z.string().min(1) }) });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether version `a` comes after `b`; the part behind a hyphen is not looked at. */
export function isLater(a: string, b: string): boolean {
  const partsOf = (version: string) => (version.split('-')[0] ?? '').split('.').map(Number);
  const [left, right] = [partsOf(a), partsOf(b)];
  const at = left.findIndex((part, index) => part !== (right[index] ?? 0));
  return at >= 0 && (left[at] ?? 0) > (right[at] ?? 0);
}

function run(program: string, args: readonly string[]) {
  return spawnSync(program, args, {
    encoding: 'utf8',
    timeout: timeoutMs,
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0', npm_config_fetch_retries: '0' },
  });
}

function unreachable(source: string, stderr: string | null): CliError {
  const reason = (stderr ?? '').trim().split('\n').at(-1) ?? '';
  return new CliError(
    `${source} cannot be asked now${reason === '' ? '' : `: ${reason}`}`,
    'is this machine online? nothing has been changed',
  );
}
