/** A file that somebody sent. */
export interface AudioFile {
  /** Files are written beside it while it is decoded, and removed again. */
  readonly path: string;
  /** Of the name that the sender gave it: lower case, without the dot. */
  readonly extension: string;
}

/** What is accepted by its name; how a file is decoded is told by its content. */
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

/** These become MP3 first, and the MP3 is what is transcribed. */
export const extensionsThroughMp3: readonly string[] = ['mp4', 'webm', 'm4a'];
