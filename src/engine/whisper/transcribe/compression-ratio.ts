import { deflateSync } from 'node:zlib';

/** Bytes of `text` over its bytes compressed with zlib; high for a text that repeats itself, 0 for ''. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}
