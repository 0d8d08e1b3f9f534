import { toStorageTrouble } from '../../errors/storage-trouble.ts';
import { waitFor } from '../../timing/wait-for.ts';
import { messageOf } from '../../words/describe-error.ts';
import { fileFingerprint, type VerdictKey } from './file-fingerprint.ts';
import { checkModelFile, type CheckOptions, type Verdict } from './load-check.ts';

/** Verdicts of earlier checks. */
export interface VerdictStore {
  /** The verdict stored under exactly this key; undefined when there is none. */
  get(key: VerdictKey): unknown;
  put(key: VerdictKey, verdict: Verdict): void;
}

/** How long after a first timeout a file is checked again. The delay doubles with each further timeout. */
const firstDelayMs = 5 * 60_000;
const longestDelayMs = 60 * 60_000;

/** See `createModelFileCheck`. */
export interface ModelFileCheck {
  (path: string, options?: CheckOptions): Promise<Verdict>;
  /** Lets the file be checked at once the next time, even where its last check did not end in time. */
  forget(path: string): void;
  /** The verdict of the last check of the file as it is now, unless it was transient; read from the store only once. */
  known(file: FileState): Verdict | undefined;
}

type FileState = Pick<VerdictKey, 'path' | 'mtimeMs'>;

/** A file whose last checks did not end in time, and when it is tried again. */
interface Stall {
  readonly verdict: Extract<Verdict, { loadable: false }>;
  readonly times: number;
  readonly retryAtMs: number;
}

/**
 * A check that remembers its verdicts, so that no file is tried twice. Callers that ask about one file at the same
 * time share one child process. Transient verdicts are not remembered, except that a check did not end in time, which
 * is remembered for some minutes.
 */
export function createModelFileCheck(
  store: VerdictStore,
  check: (path: string, options: CheckOptions) => Promise<Verdict> = checkModelFile,
): ModelFileCheck {
  const running = new Map<string, Promise<Verdict>>();
  const stalls = new Map<string, Stall>();
  const verdicts = new Map<string, Verdict | undefined>();
  const checkFile = async (path: string, { signal }: CheckOptions = {}): Promise<Verdict> => {
    let key: VerdictKey;
    try {
      key = fileFingerprint(path);
    } catch (error) {
      return { loadable: false, reason: `the file cannot be read: ${messageOf(error)}`, transient: true };
    }
    const known = store.get(key);
    if (isVerdict(known)) return known;
    const runningKey = `${key.path}\0${key.fingerprint}`;
    const stall = stalls.get(runningKey);
    if (stall !== undefined && Date.now() < stall.retryAtMs) return stall.verdict;
    let shared = running.get(runningKey);
    if (shared === undefined) {
      // One caller's abort does not end the check: others may wait for it, and the verdict is stored.
      shared = check(path, {}).then((verdict) => {
        if (verdict.loadable || !verdict.transient) {
          putIfWritable(store, key, verdict);
          verdicts.set(stateOf(key), verdict);
        }
        if (verdict.loadable || verdict.timedOut !== true) {
          stalls.delete(runningKey);
          return verdict;
        }
        const times = (stall?.times ?? 0) + 1;
        const retryAtMs = Date.now() + Math.min(longestDelayMs, firstDelayMs * 2 ** (times - 1));
        const kept = { ...verdict, retryAtMs };
        stalls.set(runningKey, { verdict: kept, times, retryAtMs });
        return kept;
      });
      running.set(runningKey, shared);
      const forget = (): void => void running.delete(runningKey);
      void shared.then(forget, forget);
    }
    return await waitFor(shared, { signal });
  };
  const forget = (path: string): void => {
    for (const [key, { verdict, times }] of stalls)
      if (key.startsWith(`${path}\0`)) stalls.set(key, { verdict, times, retryAtMs: 0 });
  };
  const known = (file: FileState): Verdict | undefined => {
    const state = stateOf(file);
    if (!verdicts.has(state)) verdicts.set(state, storedVerdict(store, file.path));
    return verdicts.get(state);
  };
  return Object.assign(checkFile, { forget, known });
}

/** On a full disk a verdict is found again each time: that keeps no model from being loaded. */
function putIfWritable(store: VerdictStore, key: VerdictKey, verdict: Verdict): void {
  try {
    store.put(key, verdict);
  } catch (error) {
    if (toStorageTrouble(error) === undefined) throw error;
  }
}

const stateOf = ({ path, mtimeMs }: FileState) => `${path}\0${Math.trunc(mtimeMs)}`;

function storedVerdict(store: VerdictStore, path: string): Verdict | undefined {
  try {
    const verdict = store.get(fileFingerprint(path));
    return isVerdict(verdict) ? verdict : undefined;
  } catch {
    // The file is gone: nothing is known of it.
    return undefined;
  }
}

/** True for a verdict. The store may hold values of another version of this program. */
function isVerdict(value: unknown): value is Verdict {
  if (typeof value !== 'object' || value === null || !('loadable' in value)) return false;
  return value.loadable === true || (value.loadable === false && 'reason' in value && 'transient' in value);
}
