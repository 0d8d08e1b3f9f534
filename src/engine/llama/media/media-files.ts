import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../../telemetry/log.ts';
import { AudioDecoder } from '../../audio/audio-decoder.ts';
import { PictureDecoder } from '../../pictures/picture-decoder.ts';

/** Pixels of a picture, three bytes for each, row by row. */
export interface Pixels {
  readonly widthPixels: number;
  readonly heightPixels: number;
  readonly rgb: Uint8Array;
}

/** Reads the files of pictures and recordings, which may be made to do harm. Throws AppError or the signal's reason. */
export interface MediaFiles {
  decodePicture(file: Uint8Array, keyId: string, signal: AbortSignal): Promise<Pixels>;
  /** Samples of 16 kHz. */
  decodeSound(file: Uint8Array, signal: AbortSignal): Promise<Float32Array>;
  close(): Promise<void>;
}

/** A longer recording has more tokens than models of today hold. */
const mostSoundSeconds = 30 * 60;

/** Has each file decoded in a guarded process. */
export function openMediaFiles(log: Log): MediaFiles {
  const pictures = new PictureDecoder(log);
  const sounds = new AudioDecoder({ ffmpeg: undefined, maxSeconds: mostSoundSeconds, log });
  return {
    decodePicture: (file, keyId, signal) => pictures.decode(file, signal, { keyId, param: 'messages' }),
    async decodeSound(file, signal) {
      const folder = await mkdtemp(join(tmpdir(), 'hearth-sound-'));
      try {
        const path = join(folder, 'sound');
        await writeFile(path, file, { mode: 0o600 });
        return await sounds.decode({ path, extension: '' }, signal);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    close: () => pictures.close(),
  };
}
