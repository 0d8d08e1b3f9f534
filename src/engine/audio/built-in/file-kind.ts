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

/** What a file is by its first bytes: `aac` for MP4 and bare AAC; `other` is for libav to find out. */
export type FileKind = 'aac' | 'program-stream' | 'other';

export function fileKindOf(file: Uint8Array): FileKind {
  const begin = Buffer.from(file.subarray(0, 8)).toString('latin1');
  if (mp4Boxes.has(begin.slice(4))) return 'aac';
  if (begin.startsWith('\0\0\x01\xba')) return 'program-stream';
  // An AAC frame with a header of its own: twelve bits of ones, then layer 0.
  if (file[0] === 0xff && ((file[1] ?? 0) & 0xf6) === 0xf0) return 'aac';
  return 'other';
}
