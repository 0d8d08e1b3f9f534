import { DownloadError } from '../download/download-error.ts';
import { searchHub, variantsOf, type HubModel } from '../download/hugging-face/hub-search.ts';
import type { Environment } from '../download/http/http-get.ts';
import { hasRoomFor, type MachinePower } from './expected-speed.ts';

/** A model of the hub that can be pulled. */
export interface HubVariant {
  /** In its repository: a file, or the name that the parts of one have in common. */
  readonly name: string;
  readonly source: string;
  readonly sizeBytes: number;
  /** It leaves enough memory for other programs. */
  readonly fits: boolean;
}

/** The models of Hugging Face, or of the hub that HF_ENDPOINT names. */
export interface Hub {
  /** Rejects with DownloadError. */
  search(words: string, signal: AbortSignal): Promise<readonly HubModel[]>;
  /** The models of a repository, the smallest first. Rejects with DownloadError. */
  variants(repository: string, signal: AbortSignal): Promise<readonly HubVariant[]>;
}

const patienceMs = 15_000;
/** Memory that a model takes with its caches, for each byte of its files. */
const memoryShare = 1.25;

export function openHub(env: Environment, machine: () => Promise<MachinePower>): Hub {
  const network = { env, stallTimeoutMs: patienceMs };
  return {
    search: (words, signal) => inTime(signal, (within) => searchHub(words, network, within)),
    async variants(repository, signal) {
      const found = await inTime(signal, (within) => variantsOf(repository, network, within));
      const power = await machine();
      return found.map(({ selector, sizeBytes }) => ({
        name: selector,
        source: `hf:${repository}:${selector}`,
        sizeBytes,
        fits: hasRoomFor(power, { memoryBytes: sizeBytes * memoryShare }),
      }));
    },
  };
}

/** The answer of `ask`, unless that takes too long: then it rejects with DownloadError. */
async function inTime<Found>(
  leaving: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Found>,
): Promise<Found> {
  const late = AbortSignal.timeout(patienceMs);
  try {
    return await ask(AbortSignal.any([leaving, late]));
  } catch (error) {
    if (!late.aborted || leaving.aborted) throw error;
    throw new DownloadError(`there was no answer within ${patienceMs / 1000} s`);
  }
}
