import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { AppError } from '../../../errors/errors.ts';
import { errorCodeOf } from '../../../words/describe-error.ts';
import { LruMap } from '../../../lru-map.ts';
import type { Log } from '../../../telemetry/log.ts';
import { AudioDecoder } from '../../audio/audio-decoder.ts';
import type { VoiceReference } from '../../voice/speaking-types.ts';

/** A longer recording does not make a voice more like it, and takes more of the context. */
const mostSeconds = 30;
const mostKept = 8;

/** The recordings of voices that one model imitates, as samples of the rate that it hears. */
export class VoiceRecordings {
  readonly #decoder: AudioDecoder;
  readonly #kept = new LruMap<Float32Array>({ entries: mostKept });

  constructor(sampleRateHz: number, log: Log) {
    this.#decoder = new AudioDecoder({ ffmpeg: undefined, maxSeconds: mostSeconds, sampleRateHz, log });
  }

  /** The samples of `voice`. Throws AppError with `voice` as param, or the reason of `signal`. */
  async samplesOf({ name, path }: VoiceReference, signal: AbortSignal): Promise<Float32Array> {
    if (path === undefined) throw unfit(name, 'this server has no recording of it');
    try {
      const { mtimeMs, size } = await stat(path);
      const key = `${path} ${mtimeMs} ${size}`;
      const samples =
        this.#kept.get(key) ?? (await this.#decoder.decode({ path, extension: extname(path) }, signal));
      this.#kept.set(key, samples);
      return samples;
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof AppError) throw unfit(name, cause.message, cause);
      throw unfit(name, `its recording cannot be read (${errorCodeOf(cause) ?? 'error'})`, cause);
    }
  }
}

const unfit = (name: string, reason: string, cause?: unknown) =>
  new AppError('invalid_value', `The voice '${name}' cannot be used: ${reason}`, { param: 'voice', cause });
