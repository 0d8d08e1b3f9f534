const initialBytes = 2 ** 20;
const sampleBytes = Float32Array.BYTES_PER_ELEMENT;

/** Collects 32-bit floats that come as bytes, cut anywhere, up to a number of samples. */
export class PcmBuffer {
  readonly #maxBytes: number;
  readonly #buffer: ArrayBuffer;
  #length = 0;

  constructor(maxSamples: number) {
    this.#maxBytes = Math.floor(maxSamples) * sampleBytes;
    // Grows in place: an hour is 230 MB, and a copy of it would be as much again.
    this.#buffer = new ArrayBuffer(0, { maxByteLength: this.#maxBytes });
  }

  /** False when `chunk` does not fit: it and all after it are lost. */
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

  /** What came, made finite and -1..1. To be called once, at the end. */
  finish(): Float32Array {
    return new Float32Array(this.#buffer.transferToFixedLength(toWhole(this.#length)));
  }

  /** The samples that are whole by `to` and were not by `from`. */
  #samplesBetween(from: number, to: number): Float32Array {
    return new Float32Array(this.#buffer, toWhole(from), (toWhole(to) - toWhole(from)) / sampleBytes);
  }
}

function toWhole(bytes: number): number {
  return bytes - (bytes % sampleBytes);
}

/** A model is not made for what is no number. */
function tame(samples: Float32Array): void {
  for (let index = 0; index < samples.length; index++) {
    const sample = samples[index] ?? 0;
    if (!(sample >= -1 && sample <= 1)) samples[index] = sample > 1 ? 1 : sample < -1 ? -1 : 0;
  }
}
