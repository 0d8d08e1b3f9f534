import { isSampleRate } from '../wav-format.ts';
import { Resampler } from './resampler.ts';

/** The file is at fault; the message completes the sentence "The file cannot be decoded: …". */
export class DecodingError extends Error {
  override readonly name = 'DecodingError';
}

/** The file lasts longer than is allowed. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError';
}

/**
 * How the decoding process exits for a DecodingError (EX_DATAERR of sysexits.h) and for a TooLongError. Any other code
 * is no judgement on the file.
 */
export const decodingExitCodes = { fileAtFault: 65, tooLong: 64 } as const;

/** Where a decoder puts its samples: mono, at any rate, in pieces. */
export interface PcmSink {
  /** False when no more is wanted. */
  write(samples: Float32Array, rateHz: number): Promise<boolean>;
}

/** Resamples the samples of decoders to one rate and passes up to `maxSamples` of it to `emit`. */
export class PcmOutput implements PcmSink {
  readonly #emit: (samples: Float32Array) => Promise<void>;
  readonly #maxSamples: number;
  readonly #wantedRateHz: number;
  #resampler: Resampler | undefined;
  #rateHz = 0;
  #emitted = 0;

  constructor(maxSamples: number, wantedRateHz: number, emit: (samples: Float32Array) => Promise<void>) {
    this.#maxSamples = maxSamples;
    this.#wantedRateHz = wantedRateHz;
    this.#emit = emit;
  }

  async write(samples: Float32Array, rateHz: number): Promise<boolean> {
    if (rateHz !== this.#rateHz) {
      if (!isSampleRate(rateHz)) throw new DecodingError('its sample rate is impossible');
      await this.finish();
      this.#rateHz = rateHz;
      const wanted = this.#wantedRateHz;
      this.#resampler = rateHz === wanted ? undefined : new Resampler(rateHz, wanted);
    }
    await this.#send(this.#resampler === undefined ? samples : this.#resampler.push(samples));
    return this.#emitted < this.#maxSamples;
  }

  /** To be called when all is decoded. */
  async finish(): Promise<void> {
    if (this.#resampler !== undefined) await this.#send(this.#resampler.finish());
    this.#resampler = undefined;
    this.#rateHz = 0;
  }

  async #send(samples: Float32Array): Promise<void> {
    const wanted = samples.subarray(0, this.#maxSamples - this.#emitted);
    if (wanted.length === 0) return;
    this.#emitted += wanted.length;
    await this.#emit(wanted);
  }
}
