import { lstatSync, readdirSync, realpathSync, statSync, type Dirent, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { errorCodeOf } from '../words/describe-error.ts';

export interface ScannedFile {
  readonly path: string;
  /** The same file without symbolic links: two paths with one real path are one file. */
  readonly realPath: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** A text that changes with the content. */
  readonly version: string;
}

/** Folders below the models folder that are looked into; Hugging Face's cache has five. */
const maxDepth = 8;
/** Limits for a models folder that is a whole disk by mistake. */
const maxFiles = 20_000;
const maxFolders = 2000;

/** Names of unfinished downloads: hearth's own, those of browsers, Ollama and the Hugging Face clients. */
const partialName =
  /\.(?:part|partial|crdownload|download|incomplete|tmp|temp|aria2|lock)$|-partial(?:-\d+)?$/i;
/** Names of files that often lie beside models and are never models. */
const otherName =
  /\.(?:md|txt|json|ya?ml|toml|ts|m?js|py|jinja|html?|png|jpe?g|gitattributes|sha256|log|license)$/i;

/** Told of each file or folder that is left out, and of the first one where a limit is reached. */
export type LeaveOut = (path: string, why: string) => void;

interface Scan {
  readonly files: ScannedFile[];
  /** Real paths of the folders that were looked into: links may lead to one twice, or in a circle. */
  readonly folders: Set<string>;
  readonly reachedLimits: Set<string>;
  readonly leaveOut: LeaveOut;
  /** The error for which the models folder itself cannot be read. */
  errorCode: string | undefined;
}

/** Files of `folder` and the folders in it, links followed, sorted by path; and why it cannot be read itself. */
export function scanFolder(folder: string, leaveOut: LeaveOut): Pick<Scan, 'files' | 'errorCode'> {
  const scan: Scan = {
    files: [],
    folders: new Set(),
    reachedLimits: new Set(),
    leaveOut,
    errorCode: undefined,
  };
  scanInto(folder, 0, scan);
  return scan;
}

function scanInto(folder: string, depth: number, scan: Scan): void {
  if (depth > maxDepth) return reachLimit(folder, `more than ${maxDepth} folders deep`, scan);
  if (scan.folders.size >= maxFolders) return reachLimit(folder, `more than ${maxFolders} folders`, scan);
  let entries: Dirent[];
  try {
    const realPath = realpathSync.native(folder);
    if (scan.folders.has(realPath)) return;
    scan.folders.add(realPath);
    entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    if (basename(folder) === 'snapshots') newestFirst(folder, entries);
  } catch (error) {
    const code = errorCodeOf(error) ?? String(error);
    if (depth === 0) scan.errorCode = code;
    // A models folder may be made later.
    if (depth > 0 || code !== 'ENOENT') scan.leaveOut(folder, `it cannot be read (${code})`);
    return;
  }
  // Hugging Face's cache: links in `snapshots` give the files in `blobs`, called by their hashes, their names.
  const isRepository = entries.some(({ name }) => name === 'snapshots');
  const pulled = entries.some(({ name }) => name === 'manifests') ? ollamaFiles(folder) : [];
  for (const { path, name } of pulled) {
    const file = statFile(path, name);
    if (file !== undefined) scan.files.push(file);
  }
  for (const entry of entries) {
    const isFolder = entry.isDirectory();
    if (entry.name.startsWith('.') || partialName.test(entry.name)) continue;
    if (isFolder ? entry.name === 'node_modules' : otherName.test(entry.name)) continue;
    if ((isRepository || pulled.length > 0) && ['blobs', 'manifests'].includes(entry.name)) continue;
    const path = join(folder, entry.name);
    if (scan.files.length >= maxFiles) return reachLimit(path, `more than ${maxFiles} files`, scan);
    const file = isFolder ? undefined : statFile(path, entry.name);
    if (file !== undefined) scan.files.push(file);
    else if (isFolder || entry.isSymbolicLink()) scanInto(path, depth + 1, scan);
  }
}

/** Of several revisions of one repository, the one that was fetched last is served. */
function newestFirst(folder: string, entries: Dirent[]): void {
  const times = new Map(entries.map((entry) => [entry, lstatSync(join(folder, entry.name)).mtimeMs]));
  entries.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
}

function reachLimit(path: string, limit: string, { reachedLimits, leaveOut }: Scan): void {
  if (!reachedLimits.has(limit)) leaveOut(path, `${limit}: it and what follows is not looked at`);
  reachedLimits.add(limit);
}

/** The regular file at `path`, links followed; undefined when there is none. */
export function statFile(path: string, name: string): ScannedFile | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return undefined;
    const { size: sizeBytes, mtimeMs, ino } = stats;
    const version = `${ino} ${sizeBytes} ${mtimeMs}`;
    return { path, realPath: realpathSync(path), name, sizeBytes, mtimeMs, version };
  } catch {
    return undefined;
  }
}

/** A manifest has a few lines. */
const mostManifestBytes = 2 ** 20;
const mostManifests = 5000;
const layer = /^application\/vnd\.ollama\.image\.(model|projector)$/;

/**
 * The files of models that Ollama pulled into `folder`, where they are called by their hashes, with the names that
 * Ollama gives them: `qwen3:0.6b`. Other files than manifests are left out; none where there is no folder of them.
 */
function ollamaFiles(folder: string): readonly { readonly path: string; readonly name: string }[] {
  const manifests = join(folder, 'manifests');
  return namesIn(manifests).flatMap((path) => {
    // The registry, the owner, the model and its tag.
    const [registry = '', owner, model, tag] = path.split(/[/\\]/);
    if (tag === undefined) return [];
    const place = [registry.replace('registry.ollama.ai', ''), owner?.replace(/^library$/, ''), model];
    const name = [place.filter(Boolean).join('/'), tag].join(':').replace(/:latest$/, '');
    return layersOf(join(manifests, path)).map(([kind, blob]) => ({
      path: join(folder, 'blobs', blob),
      name: kind === 'model' ? name : `mmproj-${name}`,
    }));
  });
}

function namesIn(manifests: string): readonly string[] {
  try {
    return readdirSync(manifests, { recursive: true, encoding: 'utf8' }).slice(0, mostManifests);
  } catch {
    return [];
  }
}

/** The kinds and the files of a manifest's layers that are weights. */
function layersOf(manifest: string): readonly (readonly [string, string])[] {
  try {
    if (statSync(manifest).size > mostManifestBytes) return [];
    const { layers } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      readonly layers: readonly { readonly mediaType: string; readonly digest: string }[];
    };
    return layers.flatMap(({ mediaType, digest }) => {
      const [, kind] = layer.exec(mediaType) ?? [];
      const [, hash] = /^sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
      return kind === undefined || hash === undefined ? [] : [[kind, `sha256-${hash}`] as const];
    });
  } catch {
    return [];
  }
}
