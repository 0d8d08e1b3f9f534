/** GGUF version 3 as entries that are copied as they are: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md. */

export interface Entry {
  readonly key: string;
  /** Number of the value's type in the file. */
  readonly type: number;
  readonly bytes: Buffer;
}

export interface TensorEntry {
  readonly name: string;
  /** Fastest-changing dimension first. */
  readonly dimensions: readonly number[];
  readonly formatId: number;
  readonly bytes: Buffer;
}

const alignmentBytes = 32;
const stringType = 8;
const arrayType = 9;
const valueBytes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

/** The metadata and tensors of a file that is trusted. */
export function readEntries(file: Buffer): { metadata: Entry[]; tensors: TensorEntry[] } {
  let at = 8;
  const u32 = () => file.readUInt32LE((at += 4) - 4);
  const u64 = () => Number(file.readBigUInt64LE((at += 8) - 8));
  const text = () => {
    const length = u64();
    return file.toString('utf8', at, (at += length));
  };
  const skip = (type: number): void => {
    if (type === stringType) text();
    else if (type === arrayType) {
      const [element, length] = [u32(), u64()];
      for (let index = 0; index < length; index++) skip(element);
    } else at += valueBytes[type] ?? 0;
  };
  const [tensorCount, entryCount] = [u64(), u64()];
  const metadata = Array.from({ length: entryCount }, () => {
    const [key, type] = [text(), u32()];
    const begin = at;
    skip(type);
    return { key, type, bytes: file.subarray(begin, at) };
  });
  const described = Array.from({ length: tensorCount }, () => {
    const name = text();
    const dimensions = Array.from({ length: u32() }, u64);
    return { name, dimensions, formatId: u32(), offset: u64() };
  });
  const data = file.subarray(Math.ceil(at / alignmentBytes) * alignmentBytes);
  const tensors = described.map(({ offset, ...tensor }) => ({ ...tensor, bytes: data.subarray(offset) }));
  return { metadata, tensors };
}

/** The bytes of the file. */
export function encodeEntries(metadata: readonly Entry[], tensors: readonly TensorEntry[]): Buffer {
  const header = [
    Buffer.from('GGUF'),
    encodedU32(3),
    encodedU64(tensors.length),
    encodedU64(metadata.length),
  ];
  for (const { key, type, bytes } of metadata) header.push(encodedText(key), encodedU32(type), bytes);
  let offset = 0;
  const data = tensors.map(({ name, dimensions, formatId, bytes }) => {
    header.push(
      encodedText(name),
      encodedU32(dimensions.length),
      ...dimensions.map(encodedU64),
      encodedU32(formatId),
      encodedU64(offset),
    );
    const whole = padded(bytes);
    offset += whole.length;
    return whole;
  });
  return Buffer.concat([padded(Buffer.concat(header)), ...data]);
}

function padded(bytes: Buffer): Buffer {
  const missing = (alignmentBytes - (bytes.length % alignmentBytes)) % alignmentBytes;
  return missing === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(missing)]);
}

function encodedU32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function encodedU64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function encodedText(value: string): Buffer {
  const bytes = Buffer.from(value, 'utf8');
  return Buffer.concat([encodedU64(bytes.length), bytes]);
}
