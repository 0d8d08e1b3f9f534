import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { AudioDecoder } from '../../../src/engine/audio/audio-decoder.ts';
import type { AppError } from '../../../src/errors/errors.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { testFolder } from '../files/test-folder.ts';

/** How `writeFfmpeg`'s programs answer with a second of silence. */
export const secondOfSilence = 'head -c 64000 /dev/zero';

/** Path of a program that says of itself that it is a usable ffmpeg, and decodes with the shell's `commands`. */
export function writeFfmpeg(name: string, commands: string): string {
  const file = path.join(testFolder, name);
  const probe = 'case "$*" in *-encoders*) echo libmp3lame; exit;; esac';
  writeFileSync(file, `#!/bin/sh\n${probe}\n${commands}\n`, { mode: 0o755 });
  return file;
}

export interface DecodeOptions {
  readonly ffmpeg?: string | undefined;
  readonly maxSeconds?: number;
  readonly signal?: AbortSignal;
}

const decoders = new Map<string, AudioDecoder>();

/** One for all files, as in a server, which asks its ffmpeg once what it can; programs of tests may change. */
function decoderOf(ffmpeg: string | undefined, maxSeconds: number): AudioDecoder {
  const kept = decoders.get(`${ffmpeg} ${maxSeconds}`);
  if (kept !== undefined) return kept;
  const decoder = new AudioDecoder({ ffmpeg, maxSeconds, log: createLog({ level: 'silent' }) });
  if (ffmpeg === undefined || ffmpeg === 'ffmpeg') decoders.set(`${ffmpeg} ${maxSeconds}`, decoder);
  return decoder;
}

/** The samples of `file`; by hearth's own decoder unless an ffmpeg is named. */
export function decode(file: string, options: DecodeOptions = {}): Promise<Float32Array> {
  const { ffmpeg, maxSeconds = 60, signal = new AbortController().signal } = options;
  return decoderOf(ffmpeg, maxSeconds).decode({ path: file, extension: path.extname(file).slice(1) }, signal);
}

/** The error that decoding `file` ends with. */
export async function decodingError(file: string, options: DecodeOptions = {}): Promise<AppError> {
  const outcome: unknown = await decode(file, options).catch((error: unknown) => error);
  if (outcome instanceof Float32Array)
    throw new Error(`decoded ${outcome.length} samples of what is no audio`);
  return outcome as AppError;
}
