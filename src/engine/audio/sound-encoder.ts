import { spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../../errors/errors.ts';
import { childEnvironment, watchChild } from '../processes/watch-child.ts';
import { encodeCommand, encodersOf } from './ffmpeg.ts';
import type { Command } from './guarded-process.ts';
import { wavHeader } from './wav-header.ts';

/** Each format has a media type, an encoder of ffmpeg, and further arguments of ffmpeg. */
const formats = {
  mp3: {
    mediaType: 'audio/mpeg',
    encoder: 'libmp3lame',
    args: '-b:a 128k -write_xing 0 -id3v2_version 0 -f mp3',
  },
  opus: { mediaType: 'audio/ogg', encoder: 'libopus', args: '-b:a 48k -page_duration 20000 -f ogg' },
  aac: { mediaType: 'audio/aac', encoder: 'aac', args: '-b:a 128k -f adts' },
  flac: { mediaType: 'audio/flac', encoder: 'flac', args: '-f flac' },
  wav: { mediaType: 'audio/wav', encoder: 'pcm_s16le', args: '-f s16le' },
  pcm: { mediaType: 'audio/pcm', encoder: 'pcm_s16le', args: '-f s16le' },
} as const;

export type SoundFormat = keyof typeof formats;
export const soundFormats = Object.keys(formats) as readonly SoundFormat[];

/** The media type of each format. */
export const mediaTypeOf = (format: SoundFormat): string => formats[format].mediaType;

/** How sound is to leave. */
export interface SoundForm {
  readonly format: SoundFormat;
  /** 0.25..4. */
  readonly speed: number;
}

/** A piece of sound: mono 16-bit samples, little-endian. */
export interface PcmPiece {
  readonly pcm: Buffer;
  readonly sampleRateHz: number;
}

/** Encodes sound while it is made: WAV and PCM by itself, the rest, and another speed, by ffmpeg. */
export class SoundEncoder {
  readonly #ffmpeg: string | undefined;
  #encoders: Promise<ReadonlySet<string> | undefined> | undefined;

  /** `ffmpeg`: its name or path; undefined: it is not to be used. */
  constructor(ffmpeg: string | undefined) {
    this.#ffmpeg = ffmpeg;
  }

  /**
   * The form that was wished for; without a format MP3, or WAV where nothing here encodes MP3. Throws unsupported_value
   * with `response_format` or `speed` as param, and engine_error.
   */
  async choose(format: SoundFormat | undefined, speed = 1): Promise<SoundForm> {
    if (format !== undefined && isOwn(format) && speed === 1) return { format, speed };
    const encoders = await this.#findEncoders();
    const chosen = format ?? (encoders.has(formats.mp3.encoder) ? 'mp3' : 'wav');
    if (encoders.has(formats[chosen].encoder) || (isOwn(chosen) && speed === 1))
      return { format: chosen, speed };
    throw isOwn(chosen)
      ? needsFfmpeg('speed', 'another speed', '1')
      : needsFfmpeg('response_format', chosen, 'wav or pcm');
  }

  /** The bytes of the sound of `pieces` in this form, as they come. Aborting `signal` ends them. Throws engine_error. */
  async *encode(
    pieces: AsyncIterable<PcmPiece>,
    { format, speed }: SoundForm,
    signal: AbortSignal,
  ): AsyncGenerator<Uint8Array> {
    const source = pieces[Symbol.asyncIterator]();
    const first = await source.next();
    if (first.done === true) return;
    const { sampleRateHz } = first.value;
    const pcm = pcmOf(first.value, source);
    const sound =
      this.#ffmpeg === undefined || (isOwn(format) && speed === 1)
        ? pcm
        : throughProgram(
            encodeCommand(this.#ffmpeg, { codec: codecOf(format), inputRateHz: sampleRateHz, speed }),
            pcm,
            signal,
          );
    let head = format === 'wav' ? wavHeader(sampleRateHz) : undefined;
    for await (const bytes of sound) {
      yield head === undefined ? bytes : Buffer.concat([head, bytes]);
      head = undefined;
    }
  }

  async #findEncoders(): Promise<ReadonlySet<string>> {
    if (this.#ffmpeg === undefined) return new Set();
    const found = await (this.#encoders ??= encodersOf(this.#ffmpeg));
    if (found !== undefined) return found;
    // The machine was too busy to tell: the next request tries again.
    this.#encoders = undefined;
    throw cannotEncode();
  }
}

const isOwn = (format: SoundFormat) => format === 'wav' || format === 'pcm';
const codecOf = (format: SoundFormat) => [
  '-c:a',
  formats[format].encoder,
  ...formats[format].args.split(' '),
];

async function* pcmOf(first: PcmPiece, rest: AsyncIterator<PcmPiece>): AsyncGenerator<Buffer> {
  yield first.pcm;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value.pcm;
}

/** The program's output for `input`, as it comes. The program has ended when this ends. */
async function* throughProgram(
  { file, args }: Command,
  input: AsyncIterable<Buffer>,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const child = spawn(file, args, { env: childEnvironment(), windowsHide: true });
  const ended = Promise.allSettled([watchChild(child, { signal }), pipeline(input, child.stdin)]);
  try {
    // The output of a program that cannot be started breaks off; why is in how it ended.
    for await (const bytes of child.stdout.iterator()) yield bytes as Buffer;
  } finally {
    child.kill('SIGKILL');
  }
  const [end, fed] = await ended;
  if (signal.aborted) return;
  if (end.status === 'rejected') throw cannotEncode(end.reason);
  if (fed.status === 'rejected') throw cannotEncode(fed.reason);
  if (end.value.exitCode !== 0) throw cannotEncode(new Error(end.value.diagnostics));
}

function cannotEncode(cause?: unknown): AppError {
  const message = 'Sound cannot be encoded on this server now. Try again later, or ask for wav.';
  return new AppError('engine_error', message, { cause });
}

function needsFfmpeg(param: string, what: string, instead: string): AppError {
  return new AppError(
    'unsupported_value',
    `'${param}' has a value that is not supported here: this server has no ffmpeg that makes ${what}. Ask for ` +
      `${instead}, or install ffmpeg on the server (Debian and Ubuntu: apt-get install ffmpeg) and start hearth again.`,
    { param },
  );
}
