import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { LRUCache } from 'lru-cache';
import { AppError } from '../../../errors/errors.ts';
import { errorCodeOf, messageOf } from '../../../words/describe-error.ts';
import type { Log } from '../../../telemetry/log.ts';
import { AudioDecoder } from '../../audio/audio-decoder.ts';
import { leastVoiceSeconds, mostVoiceSeconds, type VoiceReference } from '../../voice/speaking-types.ts';
import type { Medium } from '../native/media-addon.ts';
import type { Projector } from '../native/projector.ts';

const mostKept = 8;

/** The recordings of voices that one model imitates, as its projector takes them. */
export class VoiceRecordings {
  readonly #projector: Projector;
  readonly #sampleRateHz: number;
  readonly #decoder: AudioDecoder;
  readonly #kept = new LRUCache<string, Medium>({ max: mostKept });

  constructor(projector: Projector, sampleRateHz: number, log: Log) {
    this.#projector = projector;
    this.#sampleRateHz = sampleRateHz;
    this.#decoder = new AudioDecoder({ ffmpeg: undefined, maxSeconds: mostVoiceSeconds, sampleRateHz, log });
  }

  /** The recording of `voice`, to be encoded. Throws AppError with `voice` as param, or the reason of `signal`. */
  async find({ name, path }: VoiceReference, signal: AbortSignal): Promise<Medium> {
    if (path === undefined) throw unfit(name, 'this server has no recording of it');
    try {
      const { mtimeMs, size } = await stat(path);
      const key = `${path} ${mtimeMs} ${size}`;
      const medium = this.#kept.get(key) ?? (await this.#read(path, signal));
      this.#kept.set(key, medium);
      return medium;
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof AppError) throw unfit(name, cause.message, cause);
      const code = errorCodeOf(cause);
      throw unfit(
        name,
        code === undefined ? `${messageOf(cause)}.` : `its recording cannot be read (${code}).`,
        cause,
      );
    }
  }

  async #read(path: string, signal: AbortSignal): Promise<Medium> {
    const samples = await this.#decoder.decode({ path, extension: extname(path) }, signal);
    if (samples.length < leastVoiceSeconds * this.#sampleRateHz)
      throw new Error('its recording is shorter than a second');
    const pieces = await this.#projector.prepareSound(samples);
    const medium = pieces.find((piece) => 'cells' in piece);
    if (medium === undefined) throw new Error('the model hears nothing in its recording');
    return medium;
  }
}

const unfit = (name: string, reason: string, cause?: unknown) =>
  new AppError('invalid_value', `The voice '${name}' cannot be used: ${reason}`, { param: 'voice', cause });
