import { open } from 'node:fs/promises';
import { readWavFormat, type WavFormat } from './wav-format.ts';

/** A WAV file that hearth reads by itself, one that only ffmpeg decodes, or one that both can (`other`). */
export type FileKind = WavFormat | 'ffmpeg-only' | 'other';

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
