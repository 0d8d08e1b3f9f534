import { runGuarded, type Command } from './guarded-process.ts';

const probeLimits = { timeoutMs: 15_000, memoryBytes: 2 ** 30 };
const maxProbeChars = 2 ** 18;
/** ffmpeg's exit code after SIGTERM or SIGINT. */
export const interruptedExitCode = 255;

/** Containers that may be opened: no playlist, no list of files, no device. */
const formats = 'wav,w64,mp3,flac,ogg,matroska,webm,mov,mp4,m4a,mpeg,mpegts,aac';
/** Decoders that may run; none of them is for video. */
const codecs =
  'aac,ac3,eac3,alac,flac,mp1,mp1float,mp2,mp2float,mp3,mp3float,opus,libopus,vorbis,libvorbis,' +
  'pcm_u8,pcm_s16le,pcm_s16be,pcm_s24le,pcm_s24be,pcm_s32le,pcm_s32be,pcm_f32le,pcm_f32be,pcm_f64le,pcm_f64be,' +
  'pcm_mulaw,pcm_alaw,adpcm_ms,adpcm_ima_wav,gsm,gsm_ms,libgsm,libgsm_ms,speex,libspeex,g722,adpcm_g722,g726,g726le,adpcm_g726,adpcm_g726le';
/** Largest single block of memory that ffmpeg may allocate. */
const maxBlockBytes = 2 ** 28;
const mp3BitRate = '96k';

/**
 * Whether the program `ffmpeg` runs here and can do all that decoding asks of it; undefined where that cannot be told
 * now: the machine is too busy to start it, or something ended it.
 */
export async function isUsableFfmpeg(ffmpeg: string): Promise<boolean | undefined> {
  return (await encodersOf(ffmpeg))?.has('libmp3lame');
}

/** Names of the encoders of the program `ffmpeg`; none where it does not run here; undefined as above. */
export async function encodersOf(ffmpeg: string): Promise<ReadonlySet<string> | undefined> {
  const { signal } = new AbortController();
  let listed = '';
  const probe = { file: ffmpeg, args: ['-hide_banner', '-encoders'] };
  try {
    const { exitCode, stopped } = await runGuarded(probe, probeLimits, signal, (chunk) => {
      listed += chunk.toString('latin1');
      return listed.length < maxProbeChars;
    });
    if (exitCode === null && stopped !== 'unwanted') return undefined;
    if (exitCode !== 0) return new Set();
    return new Set([...listed.matchAll(/^ *(?:[VAS][A-Z.]{5} )?(\S+)/gm)].map(([, name = '']) => name));
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isAbsent ? new Set() : undefined;
  }
}

/**
 * Writes the first audio track of `path` to stdout: 32-bit floats, mono, at `rateHz`, no more than `maxSeconds`.
 * With `trimsPadding` the silence that an MP3 encoder puts around the audio is cut off; without it the length is
 * the one that ffprobe tells.
 */
export function decodeCommand(
  ffmpeg: string,
  path: string,
  maxSeconds: number,
  { trimsPadding, rateHz }: { trimsPadding: boolean; rateHz: number },
): Command {
  const input = [
    ...openArgs,
    ...(trimsPadding ? [] : ['-flags2', 'skip_manual']),
    ...inputArgs(path, maxSeconds),
  ];
  return { file: ffmpeg, args: [...input, ...monoArgs(rateHz), '-f', 'f32le', 'pipe:1'] };
}

/** Converts the first audio track of `path` to the MP3 file `mp3Path`. */
export function convertToMp3Command(
  ffmpeg: string,
  path: string,
  mp3Path: string,
  maxSeconds: number,
  rateHz: number,
): Command {
  const input = [...openArgs, ...inputArgs(path, maxSeconds)];
  const encode = ['-c:a', 'libmp3lame', '-b:a', mp3BitRate, '-map_metadata', '-1'];
  return {
    file: ffmpeg,
    args: [...input, ...monoArgs(rateHz), ...encode, '-f', 'mp3', '-y', `file:${mp3Path}`],
  };
}

/** Whether ffmpeg's `diagnostics` say that the file holds no track that -map could choose. */
export function foundNoAudio(diagnostics: string): boolean {
  return /^Stream map .* matches no streams/m.test(diagnostics);
}

/** The codec or the container that ffmpeg's `diagnostics` name as one that may not be decoded. */
export function refusedCodec(diagnostics: string): string | undefined {
  return /Codec \(([\w.-]{1,32})\) not on whitelist/.exec(diagnostics)?.[1];
}

/** How sound is encoded: `codec` says by which encoder and into which container. */
export interface Encoding {
  readonly codec: readonly string[];
  readonly inputRateHz: number;
  /** 0.25..4: how many times as fast the sound becomes; its pitch stays. */
  readonly speed: number;
}

/** Encodes mono 16-bit PCM, little-endian, from stdin to stdout as it comes. */
export function encodeCommand(ffmpeg: string, { codec, inputRateHz, speed }: Encoding): Command {
  const input = ['-f', 's16le', '-ar', String(inputRateHz), '-ac', '1', '-i', 'pipe:0'];
  const tempo = speed === 1 ? [] : ['-af', tempoFilters(speed)];
  return { file: ffmpeg, args: [...liveArgs, ...input, ...tempo, ...codec, '-flush_packets', '1', 'pipe:1'] };
}

/** atempo leaves samples out beyond 2, and older versions take no less than 0.5: two steps go further. */
function tempoFilters(speed: number): string {
  const step = speed > 2 ? 2 : speed < 0.5 ? 0.5 : 1;
  return step === 1 ? `atempo=${speed}` : `atempo=${step},atempo=${speed / step}`;
}

/** Nothing is held back to be looked at first: the format is known. */
const liveArgs =
  '-hide_banner -loglevel error -threads 1 -protocol_whitelist pipe -probesize 32 -analyzeduration 0'.split(
    ' ',
  );
const openArgs = [
  `-nostdin -hide_banner -loglevel error -threads 1 -max_alloc ${maxBlockBytes}`,
  `-protocol_whitelist file,pipe -format_whitelist ${formats} -codec_whitelist ${codecs}`,
].flatMap((line) => line.split(' '));
/** Channels are mixed to one by their average: without the maximum two loud ones would add up to more than 1. */
const monoArgs = (rateHz: number) =>
  ['-map', '0:a:0', '-ac', '1', '-ar', String(rateHz), '-rematrix_maxval', '1'] as const;

function inputArgs(path: string, maxSeconds: number): string[] {
  return ['-t', String(maxSeconds), '-i', `file:${path}`];
}
