/**
 * Files that only this server can have written: a conversation, then a description in JSON, the length of that, and
 * a keyed hash of all before it. Nothing in a file is believed before the hash is right.
 */
import { createHmac, timingSafeEqual, type Hmac } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

const lengthBytes = 4;
const sealBytes = 32;
const mostDescriptionBytes = 4096;
/** Hashed at once, which takes about a millisecond. */
const pieceBytes = 2 ** 20;

export interface CacheDescription {
  readonly accountId: string;
  /** The model and settings that the cache fits; see `cacheLayout`. */
  readonly layout: string;
  /** How many tokens come first. */
  readonly tokens: number;
  /** Bytes of their state, which follows. */
  readonly stateBytes: number;
  /** For each checkpoint, the tokens before it and the bytes of its state. */
  readonly checkpoints: readonly (readonly [length: number, bytes: number])[];
}

/** Adds description and seal to the file. Gives back its size in bytes. */
export async function sealFile(
  file: string,
  description: CacheDescription,
  secret: Uint8Array,
): Promise<number> {
  return await withFile(file, 'r+', async (handle, size) => {
    const text = Buffer.from(JSON.stringify(description));
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32LE(text.length);
    const end = Buffer.concat([text, length]);
    const hash = createHmac('sha256', secret);
    await hashFile(handle, size, hash);
    await handle.write(Buffer.concat([end, hash.update(end).digest()]), 0, undefined, size);
    return size + end.length + sealBytes;
  });
}

/** The description of a file; undefined where the file is not as it was sealed, or was sealed with another secret. */
export async function readSealed(file: string, secret: Uint8Array): Promise<CacheDescription | undefined> {
  return await withFile(file, 'r', async (handle, size) => {
    const sealedBytes = size - sealBytes;
    if (sealedBytes < lengthBytes) return undefined;
    const hash = createHmac('sha256', secret);
    await hashFile(handle, sealedBytes, hash);
    const seal = await readAt(handle, sealedBytes, sealBytes);
    if (!timingSafeEqual(seal, hash.digest())) return undefined;
    const length = (await readAt(handle, sealedBytes - lengthBytes, lengthBytes)).readUInt32LE();
    if (length > Math.min(mostDescriptionBytes, sealedBytes - lengthBytes)) return undefined;
    const text = await readAt(handle, sealedBytes - lengthBytes - length, length);
    return toDescription(text.toString());
  });
}

async function withFile<Result>(
  file: string,
  flags: 'r' | 'r+',
  work: (handle: FileHandle, size: number) => Promise<Result>,
): Promise<Result> {
  const handle = await open(file, flags);
  try {
    const { size } = await handle.stat();
    return await work(handle, size);
  } finally {
    await handle.close();
  }
}

async function hashFile(handle: FileHandle, size: number, hash: Hmac): Promise<void> {
  const piece = Buffer.allocUnsafe(Math.min(size, pieceBytes));
  for (let at = 0; at < size;) {
    const { bytesRead } = await handle.read(piece, 0, Math.min(piece.length, size - at), at);
    if (bytesRead === 0) throw new Error('the file became shorter while it was read');
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  await handle.read(bytes, 0, length, position);
  return bytes;
}

/** A file with the right seal may be one that another version of this program wrote. */
function toDescription(text: string): CacheDescription | undefined {
  try {
    const description = JSON.parse(text) as Partial<Record<keyof CacheDescription, unknown>>;
    return isDescription(description) ? description : undefined;
  } catch {
    return undefined;
  }
}

function isDescription(
  read: Partial<Record<keyof CacheDescription, unknown>>,
): read is Record<string, unknown> & CacheDescription {
  const { accountId, layout, tokens, stateBytes, checkpoints } = read;
  const isPair = (pair: unknown) => Array.isArray(pair) && pair.length === 2 && pair.every(isCount);
  const areTexts = typeof accountId === 'string' && typeof layout === 'string';
  const areCounts = isCount(tokens) && isCount(stateBytes);
  return areTexts && areCounts && Array.isArray(checkpoints) && checkpoints.every(isPair);
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;
