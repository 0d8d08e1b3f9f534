import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** A regular file in a models folder that may hold a model. */
export interface ScannedFile {
  readonly path: string;
  /** The same file without symbolic links: two paths with one real path are one file. */
  readonly realPath: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

/** Folders below the models folder that are looked into, such as owner and repository. */
const maxDepth = 2;
/** Limit for a models folder that is a whole disk by mistake. */
const maxFiles = 20_000;

/** Names of unfinished downloads: hearth's own, those of browsers, Ollama and the Hugging Face clients. */
const partialName =
  /\.(?:part|partial|crdownload|download|incomplete|tmp|temp|aria2|lock)$|-partial(?:-\d+)?$/i;
/** Names of files that often lie beside models and are never models. */
const otherName =
  /\.(?:md|txt|json|ya?ml|toml|ts|m?js|py|jinja|html?|png|jpe?g|gitattributes|sha256|log|license)$/i;

/** Files of `folder` and the folders in it, sorted by path; those that cannot be read are left out. */
export function scanFolder(folder: string): readonly ScannedFile[] {
  const files: ScannedFile[] = [];
  scanInto(folder, 0, files);
  return files;
}

function scanInto(folder: string, depth: number, files: ScannedFile[]): void {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // It does not exist yet or may not be read: the next scan tries again.
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    if (files.length >= maxFiles) return;
    if (entry.name.startsWith('.') || partialName.test(entry.name) || otherName.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < maxDepth && entry.name !== 'node_modules') scanInto(path, depth + 1, files);
    } else if (entry.isFile() || entry.isSymbolicLink()) {
      const file = statFile(path, entry.name);
      if (file !== undefined) files.push(file);
    }
  }
}

/** The regular file at `path`, links followed; undefined when there is none. */
export function statFile(path: string, name: string): ScannedFile | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return undefined;
    return { path, realPath: realpathSync(path), name, sizeBytes: stats.size, mtimeMs: stats.mtimeMs };
  } catch {
    return undefined;
  }
}
