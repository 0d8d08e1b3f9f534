import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore, type Store } from '../../../src/store/store.ts';

export interface TempStore {
  readonly file: string;
  /** The open store; a new one after `reopen`. */
  readonly store: Store;
  reopen(): Store;
  /** Closes the store and deletes its folder. */
  dispose(): void;
}

/** A store in a real file of its own. */
export function openTempStore(): TempStore {
  const folder = mkdtempSync(path.join(tmpdir(), 'hearth-store-'));
  const file = path.join(folder, 'hearth.db');
  let store = openStore(file);
  return {
    file,
    get store() {
      return store;
    },
    reopen() {
      store.close();
      store = openStore(file);
      return store;
    },
    dispose() {
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}
