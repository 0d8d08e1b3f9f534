import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const chunkBytes = 1024 * 1024;

/** SHA-256 of a whole file, in hex. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  const bytes = Buffer.allocUnsafe(chunkBytes);
  const handle = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead } = await handle.read(bytes, 0, chunkBytes, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(bytes.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
}
