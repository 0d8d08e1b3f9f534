const initialBytes = 2 ** 20;
const sampleBytes = Float32Array.BYTES_PER_ELEMENT;

/** Collects 32-bit floats from chunks of bytes, which may end in the middle of a float, up to a number of samples. */
export class PcmBuffer {
  readonly #maxBytes: number;
  readonly #buffer: ArrayBuffer;
  #length = 0;

  constructor(maxSamples: number) {
    this.#maxBytes = Math.floor(maxSamples) * sampleBytes;
    // The buffer grows in place, because an hour takes 230 MB and copying it would need as much again.
    this.#buffer = new ArrayBuffer(0, { maxByteLength: this.#maxBytes });
  }

  /** False when `chunk` does not fit. It is dropped, and so must be all that follows. */
  push(chunk: Uint8Array): boolean {
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes) return false;
    if (length > this.#buffer.byteLength) {
      const doubled = Math.max(initialBytes, length, this.#buffer.byteLength * 2);
      this.#buffer.resize(Math.min(this.#maxBytes, doubled));
    }
    new Uint8Array(this.#buffer).set(chunk, this.#length);
    tame(this.#samplesBetween(this.#length, length));
    this.#length = length;
    return true;
  }

  /**
   * The samples, made finite and -1..1. To be called once, at the end. They stay in the buffer that can grow: to move
   * an hour into one of fixed length would copy it.
   */
  finish(): Float32Array {
    return this.#samplesBetween(0, this.#length);
  }

  /** The samples that became complete when the length in bytes grew from `from` to `to`. */
  #samplesBetween(from: number, to: number): Float32Array {
    return new Float32Array(this.#buffer, toWhole(from), (toWhole(to) - toWhole(from)) / sampleBytes);
  }
}

function toWhole(bytes: number): number {
  return bytes - (bytes % sampleBytes);
}

/** Replaces NaN by 0 and clips the rest to -1..1, as speech models expect their input. */
function tame(samples: Float32Array): void {
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] ?? 0;
    if (!(sample >= -1 && sample <= 1)) samples[index] = sample > 1 ? 1 : sample < -1 ? -1 : 0;
  }
}
