import { alignmentBytes, type EncodedTensor } from '../tiny-model/gguf.ts';

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

/** The parts of a GGUF file that is trusted, as `joinGguf` takes them. */
export function readEntries(file: Buffer): { metadata: Map<string, Buffer>; tensors: EncodedTensor[] } {
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
  const metadata = new Map<string, Buffer>();
  for (let index = 0; index < entryCount; index++) {
    const key = text();
    const begin = at;
    skip(u32());
    metadata.set(key, file.subarray(begin, at));
  }
  const described = Array.from({ length: tensorCount }, () => {
    const name = text();
    const dimensions = Array.from({ length: u32() }, u64);
    return { name, dimensions, formatId: u32(), offset: u64() };
  });
  const data = file.subarray(Math.ceil(at / alignmentBytes) * alignmentBytes);
  const tensors = described.map(({ offset, ...tensor }) => ({ ...tensor, bytes: data.subarray(offset) }));
  return { metadata, tensors };
}
