import { rm } from 'node:fs/promises';
import { AppError } from '../../errors/errors.ts';
import type { Log } from '../../telemetry/log.ts';
import { crashSignals, programBeside } from '../processes/watch-child.ts';
import { sampleRateHz as speechRateHz } from '../speech/transcription-types.ts';
import { extensionsThroughMp3, fileKindOf, type AudioFile } from './audio-file.ts';
import { decodingExitCodes } from './built-in/pcm-output.ts';
import {
  convertToMp3Command,
  decodeCommand,
  foundNoAudio,
  refusedCodec,
  interruptedExitCode,
  isUsableFfmpeg,
} from './ffmpeg.ts';
import { runGuarded, type Command, type ProcessEnd } from './guarded-process.ts';
import { PcmBuffer } from './pcm-buffer.ts';
import type { WavFormat } from './wav-format.ts';

export interface AudioDecoderOptions {
  /** The program to use: its name or path; undefined: hearth's own decoder even where there is an ffmpeg. */
  readonly ffmpeg: string | undefined;
  /** Longer audio is refused. */
  readonly maxSeconds: number;
  /** Samples per second that are wanted; default: the rate of speech models. */
  readonly sampleRateHz?: number;
  readonly log: Log;
}

const limits = { timeoutMs: 5 * 60_000, memoryBytes: 2 ** 30 };
const builtInChild = programBeside(import.meta.url, 'built-in/decode-child');
const wasmPageBytes = 64 * 1024;
const childArgs = [
  '--permission',
  '--allow-fs-read=*',
  '--max-old-space-size=512',
  `--wasm-max-mem-pages=${limits.memoryBytes / 2 / wasmPageBytes}`,
];

/**
 * Turns audio files into samples. A file may be made to do harm, so each is decoded in a process of its own with limits
 * on time, memory and output. That process is ffmpeg where it is installed, and else hearth's own decoder, which always
 * decodes WAV.
 */
export class AudioDecoder {
  readonly #options: AudioDecoderOptions;
  #ffmpeg: Promise<string | undefined> | undefined;

  constructor(options: AudioDecoderOptions) {
    this.#options = options;
  }

  /**
   * The samples of `file`: at the rate that is wanted, mono, -1..1, all finite. Throws AppError (invalid_audio,
   * audio_too_long, engine_error) or `signal`'s reason. No process and no file is left behind.
   */
  async decode(file: AudioFile, signal: AbortSignal): Promise<Float32Array> {
    const kind = await fileKindOf(file.path);
    if (typeof kind === 'object') return await this.#collect(this.#builtIn(file.path, kind), signal);
    const ffmpeg = await this.#findFfmpeg();
    if (ffmpeg === undefined && kind === 'ffmpeg-only') throw needsFfmpeg();
    if (ffmpeg === undefined) return await this.#collect(this.#builtIn(file.path), signal);
    const seconds = this.#askedSeconds;
    if (!extensionsThroughMp3.includes(file.extension)) {
      return await this.#collect(
        decodeCommand(ffmpeg, file.path, seconds, { trimsPadding: false, rateHz: this.#rateHz }),
        signal,
      );
    }
    const mp3Path = `${file.path}.mp3`;
    try {
      const conversion = convertToMp3Command(ffmpeg, file.path, mp3Path, seconds, this.#rateHz);
      this.#check(await this.#run(conversion, signal, () => true));
      return await this.#collect(
        decodeCommand(ffmpeg, mp3Path, seconds, { trimsPadding: true, rateHz: this.#rateHz }),
        signal,
      );
    } finally {
      await rm(mp3Path, { force: true });
    }
  }

  get #rateHz(): number {
    return this.#options.sampleRateHz ?? speechRateHz;
  }

  /** One second more than is allowed: by it a file that is too long is noticed. */
  get #askedSeconds(): number {
    return this.#options.maxSeconds + 1;
  }

  async #collect(command: Command, signal: AbortSignal): Promise<Float32Array> {
    const { maxSeconds } = this.#options;
    const buffer = new PcmBuffer(maxSeconds * this.#rateHz);
    const end = await this.#run(command, signal, (chunk) => buffer.push(chunk));
    if (end.stopped === 'unwanted' || end.exitCode === decodingExitCodes.tooLong) {
      throw invalid(
        'audio_too_long',
        `The audio is longer than the limit of ${maxSeconds} seconds. Split it.`,
      );
    }
    this.#check(end);
    const samples = buffer.finish();
    if (samples.length > 0) return samples;
    throw invalid(
      'invalid_audio',
      'The file holds no audio. Check that it was recorded and sent as a whole.',
    );
  }

  async #run(
    command: Command,
    signal: AbortSignal,
    onOutput: (chunk: Buffer) => boolean,
  ): Promise<ProcessEnd> {
    try {
      return await runGuarded(command, limits, signal, onOutput);
    } catch (cause) {
      signal.throwIfAborted();
      throw cannotDecodeNow(cause);
    }
  }

  #check(end: ProcessEnd): void {
    const { exitCode, stopped } = end;
    if (exitCode === 0) return;
    this.#options.log.info(end, 'an audio file could not be decoded');
    if (wasInterrupted(end)) throw cannotDecodeNow();
    if (stopped === 'timeout' || stopped === 'memory') {
      const reason = stopped === 'timeout' ? 'too long' : 'too much memory';
      throw invalid('invalid_audio', `Decoding the file took ${reason}. Send it as WAV or in smaller parts.`);
    }
    const reason = reasonOf(end);
    throw invalid(
      'invalid_audio',
      `The file cannot be decoded as audio${reason}. Check that it plays, or send it as WAV with 16-bit PCM.`,
    );
  }

  /** Hearth's own decoder; its process may read files and do nothing else. */
  #builtIn(path: string, wav?: WavFormat): Command {
    const args = [...childArgs, builtInChild, path, String(this.#askedSeconds), String(this.#rateHz)];
    return { file: process.execPath, args: wav === undefined ? args : [...args, JSON.stringify(wav)] };
  }

  #findFfmpeg(): Promise<string | undefined> {
    this.#ffmpeg ??= this.#probeFfmpeg();
    return this.#ffmpeg;
  }

  async #probeFfmpeg(): Promise<string | undefined> {
    const { ffmpeg, log } = this.#options;
    const usable = ffmpeg === undefined ? false : await isUsableFfmpeg(ffmpeg);
    // The machine was too busy to tell: the next file tries again.
    if (usable === undefined) this.#ffmpeg = undefined;
    log.info(
      { ffmpeg: usable === true ? ffmpeg : 'none' },
      usable === true ? 'audio is decoded by ffmpeg' : 'audio is decoded by hearth',
    );
    return usable === true ? ffmpeg : undefined;
  }
}

/** Why the file could not be decoded, to be put behind "cannot be decoded as audio"; empty where nobody knows. */
function reasonOf({ exitCode, diagnostics }: ProcessEnd): string {
  if (exitCode === decodingExitCodes.fileAtFault) return `: ${diagnostics.split('\n').at(-1) ?? ''}`;
  if (foundNoAudio(diagnostics)) return ': it has no audio track';
  const codec = refusedCodec(diagnostics);
  if (codec !== undefined) return `: its sound is in the form "${codec}", which is not read here`;
  return '';
}

/** Whether the decoder was ended from outside, by the system or by somebody, and not by hearth or the file. */
function wasInterrupted({ exitCode, exitSignal, stopped }: ProcessEnd): boolean {
  if (stopped !== undefined) return false;
  return exitSignal === null ? exitCode === interruptedExitCode : !crashSignals.has(exitSignal);
}

function cannotDecodeNow(cause?: unknown): AppError {
  const message = 'Audio cannot be decoded on this server now. Try again later.';
  return new AppError('engine_error', message, { cause });
}

function invalid(code: 'invalid_audio' | 'audio_too_long', message: string): AppError {
  return new AppError(code, message, { param: 'file' });
}

function needsFfmpeg(): AppError {
  return invalid(
    'invalid_audio',
    'Without ffmpeg this server cannot decode MP4, M4A, AAC and MPEG program streams. Send WAV, MP3, FLAC, Ogg or ' +
      'WebM, or install ffmpeg on the server (Debian and Ubuntu: apt-get install ffmpeg) and start hearth again.',
  );
}
