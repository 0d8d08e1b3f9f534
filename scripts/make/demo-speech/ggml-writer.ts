import { toFloat16Bits } from '../tiny-model/gguf.ts';

/** ggml's numbers of its types. `q5_0`: blocks of 32 weights in 5 bits with one 16-bit scale. */
const tensorTypes = { f32: 0, f16: 1, q5_0: 6 } as const;
export type TensorType = keyof typeof tensorTypes;

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

  /** A length, and as many bytes. */
  token(bytes: Uint8Array): void {
    this.int32(bytes.length);
    this.#parts.push(bytes);
  }

  /** A tensor whose fastest dimension comes first; zeros where there are no values. */
  tensor(name: string, dimensions: readonly number[], type: TensorType, values?: Float32Array): void {
    const length = dimensions.reduce((product, dimension) => product * dimension, 1);
    if (values !== undefined && values.length !== length)
      throw new RangeError(`${name} has ${values.length} values and not ${length}`);
    this.int32(dimensions.length, Buffer.byteLength(name), tensorTypes[type], ...dimensions);
    this.#parts.push(Buffer.from(name));
    const data = values ?? new Float32Array(length);
    if (type === 'f32') this.float32(data);
    else if (type === 'f16') this.#float16(data);
    else this.#parts.push(toFiveBits(data));
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

const blockWeights = 32;
const blockBytes = 2 + 4 + blockWeights / 2;

/** Per block: the scale, the weights' highest bits, and their other four, of which two share a byte. */
function toFiveBits(values: Float32Array): Uint8Array {
  const bytes = Buffer.alloc((values.length / blockWeights) * blockBytes);
  for (let block = 0; block * blockWeights < values.length; block++) {
    const weights = values.subarray(block * blockWeights, (block + 1) * blockWeights);
    // The weight that is farthest from 0 becomes -16, the others up to 15 on the other side of 0.
    const farthest = weights.reduce((far, weight) => (Math.abs(weight) > Math.abs(far) ? weight : far), 0);
    const scale = farthest / -16;
    const start = block * blockBytes;
    bytes.writeUInt16LE(toFloat16Bits(scale), start);
    weights.forEach((weight, index) => {
      const level = scale === 0 ? 16 : Math.min(31, Math.floor(weight / scale + 16.5));
      const highBit = start + 2 + (index >> 3);
      bytes[highBit] = (bytes[highBit] ?? 0) | ((level >> 4) << (index & 7));
      const half = blockWeights / 2;
      const low = start + 6 + (index % half);
      bytes[low] = (bytes[low] ?? 0) | ((level & 15) << (index < half ? 0 : 4));
    });
  }
  return bytes;
}
