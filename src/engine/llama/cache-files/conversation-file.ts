/** The parts of a file before its description: a conversation's tokens, its state, and that of each checkpoint. */
import { open, type FileHandle } from 'node:fs/promises';
import type { SavedConversation } from '../slots/checkpoints.ts';
import type { CacheDescription } from './sealed-file.ts';

const tokenBytes = Uint32Array.BYTES_PER_ELEMENT;
/** Written or read at once. */
const pieceBytes = 2 ** 26;

/** Writes a file that only its owner can read. Gives back the description to be sealed with it. */
export async function writeParts(
  path: string,
  { accountId, tokens, state, checkpoints }: SavedConversation,
  layout: string,
): Promise<CacheDescription> {
  const handle = await open(path, 'wx', 0o600);
  try {
    const parts = [tokens, state, ...checkpoints.map((checkpoint) => checkpoint.state)];
    let at = 0;
    for (const part of parts) {
      await copyPieces(part, at, (piece, position) => handle.write(piece, 0, piece.length, position));
      at += part.byteLength;
    }
  } finally {
    await handle.close();
  }
  return {
    accountId,
    layout,
    tokens: tokens.length,
    stateBytes: state.byteLength,
    checkpoints: checkpoints.map(({ length, state: { byteLength } }) => [length, byteLength]),
  };
}

/** The conversation in a file that is known to be unchanged; undefined where it has more than `mostTokens`. */
export async function readParts(
  path: string,
  { accountId, tokens: count, stateBytes, checkpoints }: CacheDescription,
  mostTokens: number,
): Promise<SavedConversation | undefined> {
  if (count > mostTokens) return undefined;
  const handle = await open(path, 'r');
  try {
    let at = 0;
    const read = async (bytes: number) => {
      const part = await readAt(handle, at, bytes);
      at += bytes;
      return part;
    };
    const tokens = new Uint32Array((await read(count * tokenBytes)).buffer);
    const state = await read(stateBytes);
    const saved: { length: number; state: Uint8Array }[] = [];
    for (const [length, bytes] of checkpoints) saved.push({ length, state: await read(bytes) });
    return { accountId, tokens, state, checkpoints: saved };
  } finally {
    await handle.close();
  }
}

async function readAt(handle: FileHandle, position: number, length: number) {
  const part = new Uint8Array(length);
  await copyPieces(part, position, (piece, at) => handle.read(piece, 0, piece.length, at));
  return part;
}

async function copyPieces(
  part: Uint8Array | Uint32Array,
  position: number,
  copy: (piece: Uint8Array, position: number) => Promise<{ bytesWritten?: number; bytesRead?: number }>,
): Promise<void> {
  for (let at = 0; at < part.byteLength;) {
    const length = Math.min(pieceBytes, part.byteLength - at);
    const { bytesWritten = 0, bytesRead = bytesWritten } = await copy(
      new Uint8Array(part.buffer, part.byteOffset + at, length),
      position + at,
    );
    if (bytesRead === 0) throw new Error('a part of the file is missing');
    at += bytesRead;
  }
}
