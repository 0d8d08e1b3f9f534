/** GGUF version 3, as described in https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, written only. */

/** Metadata types and their numbers in the file. */
const valueTypes = { u8: 0, u32: 4, i32: 5, f32: 6, bool: 7, string: 8, array: 9 } as const;

export type GgufValue =
  | { readonly type: 'u32' | 'f32'; readonly value: number }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'strings'; readonly value: readonly string[] }
  | { readonly type: 'u8s'; readonly value: Uint8Array }
  | { readonly type: 'i32s'; readonly value: readonly number[] }
  | { readonly type: 'f32s'; readonly value: readonly number[] };

/** `q8_0`: blocks of 32 weights in 8 bits with one 16-bit scale; rows are multiples of 32. */
export type WeightType = 'f32' | 'f16' | 'q8_0';

const tensorTypes: Record<WeightType, number> = { f32: 0, f16: 1, q8_0: 8 };

/** The value of `general.file_type` in a file whose matrices are of this type. */
export const ggufFileTypes: Record<WeightType, number> = { f32: 0, f16: 1, q8_0: 7 };

export interface GgufTensor {
  readonly name: string;
  /** Fastest-changing dimension first: for a matrix, inputs and then outputs. */
  readonly dimensions: readonly number[];
  readonly weightType: WeightType;
  readonly values: Float32Array;
}

/** Bytes to which every tensor's offset is rounded up; the format's default. */
export const alignmentBytes = 32;

/** A tensor as it lies in a file. */
export interface EncodedTensor extends Pick<GgufTensor, 'name' | 'dimensions'> {
  /** Number of its format in the file. */
  readonly formatId: number;
  readonly bytes: Buffer;
}

/** The bytes of a GGUF file. */
export function encodeGguf(metadata: ReadonlyMap<string, GgufValue>, tensors: readonly GgufTensor[]): Buffer {
  const entries = Array.from(metadata, ([key, value]) => [key, Buffer.concat(encodeValue(value))] as const);
  return joinGguf(
    new Map(entries),
    tensors.map((tensor) => ({
      name: tensor.name,
      dimensions: tensor.dimensions,
      formatId: tensorTypes[tensor.weightType],
      bytes: encodeWeights(tensor),
    })),
  );
}

/** The bytes of a file of these parts. `metadata`: for each key the number of its value's type, and the value. */
export function joinGguf(metadata: ReadonlyMap<string, Buffer>, tensors: readonly EncodedTensor[]): Buffer {
  const header: Buffer[] = [Buffer.from('GGUF'), u32(3), u64(tensors.length), u64(metadata.size)];
  for (const [key, value] of metadata) header.push(string(key), value);
  let offsetBytes = 0;
  const data = tensors.map(({ name, dimensions, formatId, bytes }) => {
    header.push(
      string(name),
      u32(dimensions.length),
      ...dimensions.map(u64),
      u32(formatId),
      u64(offsetBytes),
    );
    const whole = padded(bytes);
    offsetBytes += whole.length;
    return whole;
  });
  return Buffer.concat([padded(Buffer.concat(header)), ...data]);
}

function encodeValue(value: GgufValue): Buffer[] {
  switch (value.type) {
    case 'u32':
      return [u32(valueTypes.u32), u32(value.value)];
    case 'f32':
      return [u32(valueTypes.f32), f32(value.value)];
    case 'bool':
      return [u32(valueTypes.bool), Buffer.from([value.value ? 1 : 0])];
    case 'string':
      return [u32(valueTypes.string), string(value.value)];
    case 'strings':
      return encodeArray(valueTypes.string, value.value.map(string));
    case 'u8s':
      return [u32(valueTypes.array), u32(valueTypes.u8), u64(value.value.length), Buffer.from(value.value)];
    case 'i32s':
      return encodeArray(valueTypes.i32, value.value.map(i32));
    case 'f32s':
      return encodeArray(valueTypes.f32, value.value.map(f32));
    default:
      return value satisfies never;
  }
}

function encodeArray(elementType: number, elements: readonly Buffer[]): Buffer[] {
  return [u32(valueTypes.array), u32(elementType), u64(elements.length), ...elements];
}

function encodeWeights({ weightType, values }: GgufTensor): Buffer {
  if (weightType === 'q8_0') return encodeBlocks(values);
  // DataView's setters write little-endian whatever the machine is, as the format asks.
  const bytesPerWeight = weightType === 'f32' ? 4 : 2;
  const bytes = Buffer.alloc(values.length * bytesPerWeight);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  values.forEach((value, index) => {
    if (weightType === 'f32') view.setFloat32(index * 4, value, true);
    else view.setUint16(index * 2, toFloat16Bits(value), true);
  });
  return bytes;
}

function encodeBlocks(values: Float32Array): Buffer {
  const blockWeights = 32;
  const blockBytes = 2 + blockWeights;
  const bytes = Buffer.alloc((values.length / blockWeights) * blockBytes);
  for (let block = 0; block * blockWeights < values.length; block++) {
    const weights = values.subarray(block * blockWeights, (block + 1) * blockWeights);
    const scale = weights.reduce((largest, weight) => Math.max(largest, Math.abs(weight)), 0) / 127;
    bytes.writeUInt16LE(toFloat16Bits(scale), block * blockBytes);
    weights.forEach((weight, index) => {
      const rounded = scale === 0 ? 0 : Math.round(weight / scale);
      bytes.writeInt8(rounded, block * blockBytes + 2 + index);
    });
  }
  return bytes;
}

/** The IEEE half-precision bits nearest to `value`; too large becomes the largest finite. */
export function toFloat16Bits(value: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value);
  const bits = view.getUint32(0);
  const sign = (bits >>> 16) & 0x8000;
  const exponent = ((bits >>> 23) & 0xff) - 112;
  if (exponent <= 0) return sign | Math.round(Math.abs(value) * 2 ** 24); // subnormal
  if (exponent >= 31) return sign | 0x7bff;
  const rounded = (exponent << 10) + (((bits & 0x7fffff) + 0x1000) >>> 13);
  return sign | Math.min(rounded, 0x7bff);
}

function padded(bytes: Buffer): Buffer {
  const missing = (alignmentBytes - (bytes.length % alignmentBytes)) % alignmentBytes;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function i32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

export function f32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([u64(bytes.length), bytes]);
}
