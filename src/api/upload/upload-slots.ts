import { overloaded } from '../../errors/unavailable.ts';

/** Most uploaded files on the disk at a time, for one key and in total. */
export interface UploadLimits {
  readonly perKey: number;
  readonly all: number;
}

interface Uploader {
  readonly accountId: string;
  readonly keyId: string;
}

/** Most uploads take less time than this. */
const retryAfterMs = 5000;

/**
 * Limits the files on the disk at a time. An account never holds more slots than are left free, so that other accounts
 * always find some, however many keys the first account uses.
 */
export class UploadSlots {
  readonly #limits: UploadLimits;
  readonly #taken: Uploader[] = [];

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /** The result of `work`. It takes a slot while it runs; throws server_overloaded if none is free. */
  async use<Result>(uploader: Uploader, work: () => Promise<Result>): Promise<Result> {
    const ofKey = this.#taken.filter(({ keyId }) => keyId === uploader.keyId).length;
    const ofAccount = this.#taken.filter(({ accountId }) => accountId === uploader.accountId).length;
    const free = this.#limits.all - this.#taken.length;
    if (ofKey >= this.#limits.perKey || ofAccount >= free)
      throw overloaded('Too many files are being uploaded or transcribed.', retryAfterMs);
    this.#taken.push(uploader);
    try {
      return await work();
    } finally {
      this.#taken.splice(this.#taken.indexOf(uploader), 1);
    }
  }
}
