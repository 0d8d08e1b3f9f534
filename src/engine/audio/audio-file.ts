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
