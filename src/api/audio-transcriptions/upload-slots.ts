import { overloaded } from '../../unavailable.ts';

/** Files that requests may have on the disk at a time: of one key, and altogether. */
export interface UploadLimits {
  readonly perKey: number;
  readonly all: number;
}

interface Uploader {
  readonly accountId: string;
  readonly keyId: string;
}

/** Longer than most uploads take. */
const retryAfterSeconds = 5;

/**
 * Keeps the disk from being filled by files that arrive all at once. An account has at most as many slots as are left
 * for others, so that whoever comes finds some, with however many keys the rest was taken.
 */
export class UploadSlots {
  readonly #limits: UploadLimits;
  readonly #taken: Uploader[] = [];

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /** What `work` gives, with a slot taken for the time of it; throws server_overloaded where there is none. */
  async use<Result>(uploader: Uploader, work: () => Promise<Result>): Promise<Result> {
    const ofKey = this.#taken.filter(({ keyId }) => keyId === uploader.keyId).length;
    const ofAccount = this.#taken.filter(({ accountId }) => accountId === uploader.accountId).length;
    const free = this.#limits.all - this.#taken.length;
    if (ofKey >= this.#limits.perKey || ofAccount >= free)
      throw overloaded('Too many files are being transcribed.', retryAfterSeconds);
    this.#taken.push(uploader);
    try {
      return await work();
    } finally {
      this.#taken.splice(this.#taken.indexOf(uploader), 1);
    }
  }
}
