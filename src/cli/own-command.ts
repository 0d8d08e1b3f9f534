import { homedir } from 'node:os';
import path from 'node:path';
import { defaultDataDir, type Environment } from '../config/paths.ts';
import type { Config } from '../config/types.ts';

/** How this program was started. */
export interface Invocation {
  /** The file that Node was told to run; a link is not resolved. */
  readonly script: string;
  readonly cwd: string;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
}

/** A line for the user's shell that runs this same hearth with `args`, whether it is a clone or installed. */
export function shellCommand(args: readonly string[], invocation = thisInvocation()): string {
  const { platform } = invocation;
  return [...programOf(invocation), ...args].map((word) => quote(word, platform)).join(' ');
}

/** The flags that make another command use the same settings and data folder; none when it uses them by default. */
export function sameFolder(
  { configFile, dataDir }: Pick<Config, 'configFile' | 'dataDir'>,
  invocation = thisInvocation(),
): string[] {
  const { env, platform, homeDir } = invocation;
  const isFoundAnyway =
    configFile === undefined || configFile === path.join(nextFolder(invocation), 'hearth.yaml');
  const isDefault = dataDir === defaultDataDir(env, { platform, homeDir });
  return [...(isFoundAnyway ? [] : ['--config', configFile]), ...(isDefault ? [] : ['--data-dir', dataDir])];
}

/** The folder in which the next command will run. npm runs scripts in the clone. */
function nextFolder(invocation: Invocation): string {
  const { platform } = invocation;
  return (platform === 'win32' ? cloneOf(invocation) : undefined) ?? userFolder(invocation);
}

/** The folder that the user's shell is in. npm tells it to scripts. */
const userFolder = ({ env, cwd }: Invocation): string => env['INIT_CWD'] ?? cwd;

function thisInvocation(): Invocation {
  return {
    script: process.argv[1] ?? '',
    cwd: process.cwd(),
    env: process.env,
    platform: process.platform,
    homeDir: homedir(),
  };
}

/** The folder of the clone that runs from source; undefined: it is built. */
function cloneOf({ script, cwd }: Invocation): string | undefined {
  return script.endsWith('.ts') ? path.resolve(cwd, script, '../..') : undefined;
}

function programOf(invocation: Invocation): string[] {
  const { script, cwd, platform } = invocation;
  const clone = cloneOf(invocation);
  if (clone !== undefined) {
    const fromUser = path.relative(clone, userFolder(invocation));
    const isInClone = !fromUser.startsWith('..') && !path.isAbsolute(fromUser);
    // The script `hearth` is one for a shell of Unix.
    if (platform === 'win32')
      return ['npm', ...(isInClone ? [] : ['--prefix', clone]), 'run', '--silent', 'hearth', '--'];
    if (!isInClone) return [path.join(clone, 'hearth')];
    return [fromUser === '' ? './hearth' : path.join(path.relative(userFolder(invocation), clone), 'hearth')];
  }
  // On Windows a link is a script of npm's that names the file itself.
  const isLink = path.extname(script) === '' || platform === 'win32';
  if (script.split(/[/\\]/).includes('.bin')) return ['npx', 'hearth'];
  return isLink ? ['hearth'] : ['node', path.resolve(cwd, script)];
}

/** `word` as a shell of `platform` reads it as one. */
export function quote(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@%+=:,./\\~-]+$/.test(word) && (platform === 'win32' || !/[\\~]/.test(word))) return word;
  return platform === 'win32'
    ? `"${word.replaceAll('"', '""')}"`
    : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
