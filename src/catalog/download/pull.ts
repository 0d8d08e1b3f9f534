import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LookupFunction } from 'node:net';
import { parseModelSource, sourceKey, type ModelSource } from '../model-source.ts';
import { folderOfSource } from '../pulled-files.ts';
import { DownloadError } from './download-error.ts';
import type { Network } from './http-get.ts';
import type { Environment } from './proxy.ts';
import { pullInto } from './pull-into.ts';
import type { PulledModel, PullProgress } from './pull-types.ts';

export interface PullOptions {
  /** The folder of pulled models. */
  readonly folder: string;
  /** For URLs: what the file must hash to, in hex. */
  readonly sha256?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: PullProgress) => void) | undefined;
  /** HF_ENDPOINT, HF_TOKEN and the proxies; default: process.env. */
  readonly env?: Environment | undefined;
  readonly lookup?: LookupFunction | undefined;
  readonly stallTimeoutMs?: number | undefined;
  readonly maxFailures?: number | undefined;
  readonly retryDelayMs?: number | undefined;
  readonly freeDiskBytes?: ((folder: string) => Promise<number>) | undefined;
}

interface SharedPull {
  readonly result: Promise<PulledModel>;
  /** From now on nobody may join. */
  readonly forget: () => void;
  readonly listeners: Set<(progress: PullProgress) => void>;
  readonly controller: AbortController;
  callers: number;
}

const shared = new Map<string, SharedPull>();

/**
 * Fetches the model of `source` (`hf:Owner/Repo:QUANT` or a URL) into the folder of pulled models, or finds it
 * there. Callers that ask for one source at the same time share one pull, which ends when the last of them
 * aborts. Rejects with DownloadError or ModelSourceError; with the signal's reason on abort.
 */
export async function pullModel(source: string, options: PullOptions): Promise<PulledModel> {
  const parsed = parseModelSource(source);
  if (parsed.kind === 'path') {
    throw new DownloadError(`"${source}" is nothing that could be pulled`, {
      hint: 'write hf:Owner/Repository:QUANT or an https URL',
    });
  }
  options.signal?.throwIfAborted();
  const folder = resolve(options.folder);
  const key = `${folder}\0${sourceKey(parsed)}\0${options.sha256 ?? ''}`;
  const pull = shared.get(key) ?? startPull(key, parsed, folder, options);
  return await joinPull(pull, options);
}

function startPull(
  key: string,
  source: Exclude<ModelSource, { kind: 'path' }>,
  pulledFolder: string,
  options: PullOptions,
): SharedPull {
  const listeners: SharedPull['listeners'] = new Set();
  const controller = new AbortController();
  const network: Network = {
    env: options.env ?? process.env,
    stallTimeoutMs: options.stallTimeoutMs ?? 30_000,
    lookup: options.lookup,
  };
  const forget = (): void => {
    if (shared.get(key)?.controller === controller) shared.delete(key);
  };
  const run = async (): Promise<PulledModel> => {
    const folder = folderOfSource(pulledFolder, source);
    await mkdir(folder, { recursive: true });
    return await pullInto(folder, source, {
      network,
      sha256: options.sha256?.toLowerCase(),
      signal: controller.signal,
      maxFailures: options.maxFailures ?? 6,
      retryDelayMs: options.retryDelayMs ?? 1000,
      freeDiskBytes: options.freeDiskBytes,
      onProgress: (progress) => listeners.forEach((listener) => listener(progress)),
    });
  };
  const pull: SharedPull = { result: run(), forget, listeners, controller, callers: 0 };
  shared.set(key, pull);
  void pull.result.then(forget, forget);
  return pull;
}

async function joinPull(pull: SharedPull, { signal, onProgress }: PullOptions): Promise<PulledModel> {
  pull.callers++;
  if (onProgress !== undefined) pull.listeners.add(onProgress);
  let onAbort: (() => void) | undefined;
  try {
    if (signal === undefined) return await pull.result;
    const aborted = new Promise<never>((_resolve, reject) => {
      onAbort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
      signal.addEventListener('abort', onAbort, { once: true });
    });
    return await Promise.race([pull.result, aborted]);
  } finally {
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    if (onProgress !== undefined) pull.listeners.delete(onProgress);
    pull.callers--;
    if (pull.callers === 0) {
      // The last one left; what has come stays for another time. Nobody listens to how this one ends.
      pull.forget();
      pull.controller.abort();
      await pull.result.catch(() => undefined);
    }
  }
}
