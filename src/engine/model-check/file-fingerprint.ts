import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** To be raised when earlier verdicts no longer hold, for example after an upgrade of the library. */
const checkVersion = 'node-llama-cpp-3.22.1 whisper.cpp-1.9.1/5';

const fingerprintWindowBytes = 1024 * 1024;
/** The state of a file when it was checked, and the version of the check. */
export interface VerdictKey {
  readonly path: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Hash of the content's both ends and of the version of the check. */
  readonly fingerprint: string;
}

/** Identifies a file's content without reading all of it: size, time, and a hash of both ends. */
export function fileFingerprint(path: string): VerdictKey {
  const fd = openSync(path, 'r');
  try {
    const { size: sizeBytes, mtimeMs } = fstatSync(fd);
    const hash = createHash('sha256').update(`${checkVersion}:${sizeBytes}:`);
    const bytes = Buffer.allocUnsafe(Math.min(sizeBytes, fingerprintWindowBytes));
    for (const position of [0, sizeBytes - bytes.length]) {
      const readBytes = readSync(fd, bytes, 0, bytes.length, position);
      hash.update(bytes.subarray(0, readBytes));
    }
    return { path, sizeBytes, mtimeMs: Math.trunc(mtimeMs), fingerprint: hash.digest('hex') };
  } finally {
    closeSync(fd);
  }
}
