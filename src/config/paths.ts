import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The environment's variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
}

/** The package's own folder of models, found from src and from dist alike. */
export const packageModelsDir = fileURLToPath(new URL('../../models', import.meta.url));

/** The list of models that can be pulled by name. */
export const curatedModelsFile = path.join(packageModelsDir, 'catalog.yaml');

/** The data folder when none is set: by the XDG rules on Unix, in the local application data on Windows. */
export function defaultDataDir(env: Environment, { platform, homeDir }: Machine): string {
  if (platform === 'win32') {
    return path.win32.join(env['LOCALAPPDATA'] || path.win32.join(homeDir, 'AppData', 'Local'), 'hearth');
  }
  // The XDG rules say that a relative path must be ignored.
  const xdg = env['XDG_DATA_HOME'];
  const base = xdg?.startsWith('/') ? xdg : path.posix.join(homeDir, '.local', 'share');
  return path.posix.join(base, 'hearth');
}

/** `file` made absolute from `baseDir`; a leading `~/` is the home folder. */
export function resolvePath(file: string, baseDir: string, homeDir: string): string {
  if (file === '~') return homeDir;
  return /^~[/\\]/.test(file) ? path.join(homeDir, file.slice(2)) : path.resolve(baseDir, file);
}
