import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { LookupFunction } from 'node:net';
import { parseModelSource, sourceKey, type ModelSource } from '../model-source.ts';
import type { PullNaming } from '../pull-naming.ts';
import { folderOfSource } from '../pulled-files.ts';
import { DownloadError } from './download-error.ts';
import type { Network } from './http-get.ts';
import type { Environment } from './proxy.ts';
import { pullInto } from './pull-into.ts';
import type { PulledModel, PullProgress } from './pull-types.ts';
import { SingleFlight } from './single-flight.ts';

export interface PullOptions {
  /** The folder of pulled models. */
  readonly folder: string;
  /** What the file, of several the first, must hash to, in hex. */
  readonly sha256?: string | undefined;
  /** The id to serve the model under; undefined: the one that it has, or that the file's name gives. */
  readonly id?: string | undefined;
  /** Names that the pulled model must not take from another; default: any id is free. */
  readonly naming?: PullNaming | undefined;
  /** For URLs: none that leads into this machine or its network, be it named by whoever asks. Default: false. */
  readonly publicOnly?: boolean | undefined;
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

const pulls = new SingleFlight<PulledModel, PullProgress>();

/**
 * Fetches the model of `source` (`hf:Owner/Repo:QUANT` or a URL) into the folder of pulled models, or finds it
 * there. Callers that ask for one source at the same time share one pull, which ends when the last of them
 * aborts; what has come stays for another time. Rejects with DownloadError or ModelSourceError; with the signal's
 * reason on abort.
 */
export async function pullModel(source: string, options: PullOptions): Promise<PulledModel> {
  const parsed = parseModelSource(source);
  if (parsed.kind === 'path') {
    throw new DownloadError(`"${source}" is nothing that could be pulled`, {
      hint: 'write hf:Owner/Repository:QUANT or an https URL',
    });
  }
  const folder = resolve(options.folder);
  const { sha256 = '', id = '', publicOnly = false } = options;
  const key = [folder, sourceKey(parsed), sha256, id, publicOnly].join('\0');
  return await pulls.join(
    key,
    (signal, onProgress) => pullSource(parsed, folder, { ...options, signal, onProgress }),
    options,
  );
}

/** Options with what the shared pull is given in place of what each caller brought. */
interface Joined extends PullOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: PullProgress) => void;
}

async function pullSource(
  source: Exclude<ModelSource, { kind: 'path' }>,
  pulledFolder: string,
  options: Joined,
): Promise<PulledModel> {
  const network: Network = {
    env: options.env ?? process.env,
    stallTimeoutMs: options.stallTimeoutMs ?? 30_000,
    lookup: options.lookup,
    publicOnly: options.publicOnly === true && source.kind === 'url',
  };
  const folder = folderOfSource(pulledFolder, source);
  await mkdir(folder, { recursive: true });
  return await pullInto(folder, source, {
    network,
    sha256: options.sha256?.toLowerCase(),
    id: options.id,
    naming: options.naming,
    signal: options.signal,
    maxFailures: options.maxFailures ?? 6,
    retryDelayMs: options.retryDelayMs ?? 1000,
    freeDiskBytes: options.freeDiskBytes,
    onProgress: options.onProgress,
  });
}
