import { open } from 'node:fs/promises';
import { readWavFormat, type WavFormat } from './wav-format.ts';

/** A file that somebody sent. */
export interface AudioFile {
  /** Files are written beside it while it is decoded, and removed again. */
  readonly path: string;
  /** Of the name that the sender gave it: lower case, without the dot. */
  readonly extension: string;
}

/** The extensions that are accepted. How a file is decoded depends on its content alone. */
export const audioExtensions: readonly string[] = [
  'flac',
  'mp3',
  'mp4',
  'mpeg',
  'mpga',
  'm4a',
  'ogg',
  'wav',
  'webm',
];

/** ffmpeg converts these to MP3 first, and the MP3 is transcribed. */
export const extensionsThroughMp3: readonly string[] = ['mp4', 'webm', 'm4a'];

/** A WAV file that hearth reads by itself, one that only ffmpeg decodes, or one that both can (`other`). */
type FileKind = WavFormat | 'ffmpeg-only' | 'other';

/** Types of the boxes that an MP4 file may begin with. */
const mp4Boxes: ReadonlySet<string> = new Set([
  'ftyp',
  'moov',
  'mdat',
  'free',
  'skip',
  'wide',
  'styp',
  'moof',
]);
const programStreamStart = '\0\0\x01\xba';
const startBytes = 8;

/** The kind of the file at `path`, by its content: names are often wrong. */
export async function fileKindOf(path: string): Promise<FileKind> {
  const file = await open(path);
  try {
    const wav = await readWavFormat(file);
    if (wav !== undefined) return wav;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    const start = buffer.toString('latin1', 0, bytesRead);
    const isMpeg4 = mp4Boxes.has(start.slice(4)) || isAacFrame(buffer);
    return isMpeg4 || start.startsWith(programStreamStart) ? 'ffmpeg-only' : 'other';
  } finally {
    await file.close();
  }
}

/** Whether `start` is the header of a bare AAC frame: twelve bits of ones, then two zeros for the layer. */
function isAacFrame(start: Buffer): boolean {
  return start[0] === 0xff && ((start[1] ?? 0) & 0xf6) === 0xf0;
}
