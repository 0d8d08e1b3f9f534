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
  /** Where the samples are in the file. */
  readonly dataOffset: number;
  /** Whole frames only: a multiple of `channels` × the bytes of a sample. */
  readonly dataBytes: number;
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
 * in a way that is not in the table above. The length that the file claims for itself is not trusted.
 */
export async function readWavFormat(file: FileHandle): Promise<WavFormat | undefined> {
  const { size } = await file.stat();
  const riff = await readAt(file, 0, 12);
  if (riff.length < 12 || riff.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (riff.toString('latin1', 8, 12) !== 'WAVE') return undefined;

  let fmt: Buffer | undefined;
  let offset = 12;
  for (let chunks = 0; chunks < maxChunks; chunks++) {
    const header = await readAt(file, offset, chunkHeaderBytes);
    if (header.length < chunkHeaderBytes) return undefined;
    const id = header.toString('latin1', 0, 4);
    const claimedBytes = header.readUInt32LE(4);
    offset += chunkHeaderBytes;
    if (id === 'fmt ') fmt = await readAt(file, offset, Math.min(claimedBytes, fmtBytes));
    // A program that writes to a pipe does not know the length beforehand and claims the largest possible one.
    else if (id === 'data') return fmt && toFormat(fmt, offset, Math.min(claimedBytes, size - offset));
    // Chunks begin at even offsets.
    offset += claimedBytes + (claimedBytes % 2);
  }
  return undefined;
}

function toFormat(fmt: Buffer, dataOffset: number, availableBytes: number): WavFormat | undefined {
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
    dataOffset,
    dataBytes: availableBytes - (availableBytes % frameBytes),
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
