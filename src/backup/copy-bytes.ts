import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, writeSync } from 'node:fs';

const pieceBytes = 1024 * 1024;

/** SHA-256 in hex of `sizeBytes` of an open file from `offset` on, each piece handed to `take` too. */
export function hashBytes(
  descriptor: number,
  { offset, sizeBytes }: { readonly offset: number; readonly sizeBytes: number },
  take: (piece: Buffer) => void = () => undefined,
): string {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(Math.min(pieceBytes, sizeBytes));
  for (let done = 0; done < sizeBytes;) {
    const read = readSync(descriptor, buffer, 0, Math.min(buffer.length, sizeBytes - done), offset + done);
    if (read === 0) throw new RangeError('a file became shorter while it was read');
    const piece = buffer.subarray(0, read);
    hash.update(piece);
    take(piece);
    done += read;
  }
  return hash.digest('hex');
}

/** Writes all of `bytes`, which the system may take in several steps. */
export function writeAll(descriptor: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
}

/** The result of `work`, with the file open meanwhile. */
export function withFile<Result>(
  path: string,
  flags: 'r' | 'wx',
  work: (descriptor: number) => Result,
): Result {
  const descriptor = openSync(path, flags, 0o600);
  try {
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
