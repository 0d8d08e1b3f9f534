import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packageModelsDir } from '../../../src/config/paths.ts';
import { fileFingerprint, type VerdictKey } from '../../../src/engine/model-check/file-fingerprint.ts';
import { openStore, type Store } from '../../../src/store/store.ts';

/** Findings of servers of this worker about model files that can be loaded, by the fingerprint of the file. */
const known = new Map<string, unknown>();

/** Which model files a server has, as far as its options name them. */
interface ServedFiles {
  readonly modelsDirs: readonly string[];
  readonly config?: {
    readonly demo?: boolean;
    readonly models?: readonly { readonly id: string; readonly source?: unknown }[];
  };
}

/** Those that run, by their data folders, with the files of their models. */
const running = new Map<string, readonly VerdictKey[]>();

/**
 * Has a server with the new `dataDir` know which of its models another one of this worker has tried and could load: to
 * try one takes half a second of processor time. Returns a function to be called at the end of the server.
 */
export function giveVerdicts(dataDir: string, served: ServedFiles): () => void {
  for (const [folder, keys] of running) learn(folder, keys);
  const keys = filesOf(served).map((file) => fileFingerprint(file));
  withChecks(dataDir, (checks) => {
    for (const key of keys) if (known.has(key.fingerprint)) checks.put(key, known.get(key.fingerprint));
  });
  running.set(dataDir, keys);
  return () => {
    learn(dataDir, keys);
    running.delete(dataDir);
  };
}

/** Remembers the findings of the server of that data folder by now. */
function learn(dataDir: string, keys: readonly VerdictKey[]): void {
  const unknown = keys.filter(({ fingerprint }) => !known.has(fingerprint));
  if (unknown.length === 0) return;
  withChecks(dataDir, (checks) => {
    for (const key of unknown) {
      const verdict = checks.get(key) as { readonly loadable: boolean } | undefined;
      if (verdict?.loadable === true) known.set(key.fingerprint, verdict);
    }
  });
}

function filesOf({ modelsDirs, config: { demo = true, models = [] } = {} }: ServedFiles): readonly string[] {
  const folders = [...modelsDirs, ...(demo ? [packageModelsDir] : [])].filter((folder) => existsSync(folder));
  const inFolders = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const named = models.flatMap(({ source }) => (typeof source === 'string' ? [source] : []));
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return [...inFolders, ...named].filter((path) => /\.(?:gguf|bin)$/.test(path) && isFile(path));
}

function withChecks(dataDir: string, work: (checks: Store['modelChecks']) => void): void {
  const store = openStore(join(dataDir, 'hearth.db'));
  try {
    work(store.modelChecks);
  } finally {
    store.close();
  }
}
