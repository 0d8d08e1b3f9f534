import { toFloat16Bits } from '../tiny-model/gguf.ts';

/** Builds the bytes of a Whisper model in the ggml format of whisper.cpp, part by part. Numbers are little-endian. */
export class GgmlWriter {
  readonly #parts: Uint8Array[] = [];

  int32(...values: readonly number[]): void {
    const bytes = Buffer.alloc(4 * values.length);
    values.forEach((value, index) => bytes.writeInt32LE(value, 4 * index));
    this.#parts.push(bytes);
  }

  float32(values: Float32Array): void {
    const bytes = Buffer.alloc(4 * values.length);
    values.forEach((value, index) => bytes.writeFloatLE(value, 4 * index));
    this.#parts.push(bytes);
  }

  /** A length and so many bytes. */
  token(bytes: Uint8Array): void {
    this.int32(bytes.length);
    this.#parts.push(bytes);
  }

  /** A tensor whose fastest dimension comes first; zeros where there are no values. */
  tensor(name: string, dimensions: readonly number[], type: 'f32' | 'f16', values?: Float32Array): void {
    const length = dimensions.reduce((product, dimension) => product * dimension, 1);
    if (values !== undefined && values.length !== length)
      throw new RangeError(`${name} has ${values.length} values and not ${length}`);
    this.int32(dimensions.length, Buffer.byteLength(name), type === 'f16' ? 1 : 0, ...dimensions);
    this.#parts.push(Buffer.from(name));
    const data = values ?? new Float32Array(length);
    if (type === 'f32') this.float32(data);
    else this.#float16(data);
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  #float16(values: Float32Array): void {
    const bytes = Buffer.alloc(2 * values.length);
    values.forEach((value, index) => bytes.writeUInt16LE(toFloat16Bits(value), 2 * index));
    this.#parts.push(bytes);
  }
}
