import { deflateSync } from 'node:zlib';

/** Bytes of `text` over their number when compressed with zlib: the more it repeats itself, the higher. 0 for ''. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}
