import { AppError } from '../../errors.ts';

/** Files that requests may have on the disk at a time: of one key, and altogether. */
export interface UploadLimits {
  readonly perKey: number;
  readonly all: number;
}

/** Longer than most uploads take. */
const retryAfterSeconds = 5;

/** Keeps the disk from being filled by files that arrive all at once. */
export class UploadSlots {
  readonly #limits: UploadLimits;
  readonly #taken = new Map<string, number>();
  #all = 0;

  constructor(limits: UploadLimits) {
    this.#limits = limits;
  }

  /** What `work` gives, with a slot taken for the time of it; throws server_overloaded where there is none. */
  async use<Result>(keyId: string, work: () => Promise<Result>): Promise<Result> {
    const own = this.#taken.get(keyId) ?? 0;
    if (own >= this.#limits.perKey || this.#all >= this.#limits.all)
      throw new AppError('server_overloaded', 'Too many files are being transcribed. Try again later.', {
        retryAfterSeconds,
      });
    this.#taken.set(keyId, own + 1);
    this.#all++;
    try {
      return await work();
    } finally {
      const left = (this.#taken.get(keyId) ?? 1) - 1;
      if (left > 0) this.#taken.set(keyId, left);
      else this.#taken.delete(keyId);
      this.#all--;
    }
  }
}
