import type { FileHandle } from 'node:fs/promises';

/** How samples are written, all little-endian, by the code and the bits of the format. */
const encodingOfCode = {
  '1/8': 'unsigned-8',
  '1/16': 'signed-16',
  '1/24': 'signed-24',
  '1/32': 'signed-32',
  '3/32': 'float-32',
  '3/64': 'float-64',
  '6/8': 'a-law',
  '7/8': 'mu-law',
} as const;

/** How one sample is written in a WAV file. */
export type WavEncoding = (typeof encodingOfCode)[keyof typeof encodingOfCode];

/** A WAV file whose samples hearth reads by itself. */
export interface WavFormat {
  readonly encoding: WavEncoding;
  readonly channels: number;
  readonly sampleRateHz: number;
  readonly data: readonly WavData[];
}

/** A part of the samples. */
export interface WavData {
  readonly offset: number;
  /** Whole frames only: a multiple of `channels` × the bytes of a sample. */
  readonly bytes: number;
}

export const wavSampleBytes: Readonly<Record<WavEncoding, number>> = {
  'unsigned-8': 1,
  'signed-16': 2,
  'signed-24': 3,
  'signed-32': 4,
  'float-32': 4,
  'float-64': 8,
  'a-law': 1,
  'mu-law': 1,
};

/** The format code which says that the real code is in the first two bytes of an extension. */
const extensible = 0xfffe;
const chunkHeaderBytes = 8;
const fmtBytes = 40;
/** Tags and cue points may come before the samples, but no real recording has more chunks than this. */
const maxChunks = 1024;
const maxChannels = 64;

/**
 * The format of an open WAV file; undefined for any other file, and for a WAV file that is damaged or compressed
 * in a way that is not in the table above. The lengths that the file claims are not trusted: a recorder that crashed
 * leaves them at 0, or at the ones of a moment before.
 */
export async function readWavFormat(file: FileHandle): Promise<WavFormat | undefined> {
  const { size } = await file.stat();
  const riff = await readAt(file, 0, 12);
  if (riff.length < 12 || riff.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (riff.toString('latin1', 8, 12) !== 'WAVE') return undefined;

  let fmt: Buffer | undefined;
  const data: WavData[] = [];
  let offset = 12;
  for (let chunks = 0; chunks < maxChunks; chunks++) {
    const header = await readAt(file, offset, chunkHeaderBytes);
    if (header.length < chunkHeaderBytes) break;
    const id = header.toString('latin1', 0, 4);
    const claimedBytes = header.readUInt32LE(4);
    offset += chunkHeaderBytes;
    if (id === 'fmt ') fmt = await readAt(file, offset, Math.min(claimedBytes, fmtBytes));
    // Chunks begin at even offsets.
    const next = offset + claimedBytes + (claimedBytes % 2);
    if (id !== 'data') offset = next;
    else if (await isChunk(file, next, size)) {
      data.push({ offset, bytes: claimedBytes });
      offset = next;
    } else {
      // A program that writes to a pipe does not know the length beforehand and claims the largest possible one.
      data.push({ offset, bytes: size - offset });
      break;
    }
  }
  return fmt === undefined || data.length === 0 ? undefined : toFormat(fmt, data);
}

/** Whether a chunk begins at `offset`, or the file has come to its end there. */
async function isChunk(file: FileHandle, offset: number, size: number): Promise<boolean> {
  if (offset === size || offset === size + 1) return true;
  const header = await readAt(file, offset, chunkHeaderBytes);
  if (header.length < chunkHeaderBytes || !/^[\w ]{4}$/.test(header.toString('latin1', 0, 4))) return false;
  return offset + chunkHeaderBytes + header.readUInt32LE(4) <= size;
}

function toFormat(fmt: Buffer, data: readonly WavData[]): WavFormat | undefined {
  if (fmt.length < 16) return undefined;
  const code =
    fmt.readUInt16LE(0) === extensible && fmt.length >= 26 ? fmt.readUInt16LE(24) : fmt.readUInt16LE(0);
  const encodings: Readonly<Record<string, WavEncoding>> = encodingOfCode;
  const encoding = encodings[`${code}/${fmt.readUInt16LE(14)}`];
  const channels = fmt.readUInt16LE(2);
  const sampleRateHz = fmt.readUInt32LE(4);
  if (encoding === undefined || channels < 1 || channels > maxChannels) return undefined;
  if (!isSampleRate(sampleRateHz)) return undefined;
  const frameBytes = channels * wavSampleBytes[encoding];
  return {
    encoding,
    channels,
    sampleRateHz,
    data: data.map(({ offset, bytes }) => ({ offset, bytes: bytes - (bytes % frameBytes) })),
  };
}

/** Whether `rateHz` is a sample rate of real recordings; others come from damaged or hostile files. */
export function isSampleRate(rateHz: number): boolean {
  return rateHz >= 1_000 && rateHz <= 768_000;
}

/** Up to `length` bytes from `position` on; fewer at the end of the file. */
async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
