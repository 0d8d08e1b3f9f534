import {
  constants,
  copyFileSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { errorCodeOf } from '../../words/describe-error.ts';
import { audioExtensions, type AudioFile } from '../../engine/audio/audio-file.ts';
import { formatBytes } from '../../words/format-bytes.ts';
import { CliError } from '../../errors/operator-errors.ts';

/** The argument that stands for standard input. */
export const standardInput = '-';
const mostPipedBytes = 2 ** 31;
const headBytes = 12;

/** An audio file to be transcribed: a copy in a folder of its own. */
export interface AudioInput extends AudioFile {
  readonly sizeBytes: number;
  /** Removes the copy. */
  dispose(): void;
}

/**
 * The audio of a file, or of standard input where `name` is `-`. The extension is that of the file's name where it says
 * how the API takes it, else one that fits the content. Throws CliError.
 */
export async function readAudioInput(name: string, signal: AbortSignal): Promise<AudioInput> {
  // A copy, since the decoder writes beside the file that it is given.
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hearth-transcribe-'));
  const dispose = () => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = path.join(folder, 'audio');
    if (name === standardInput) await copyStandardInput(copy, signal);
    else copyFile(name, copy);
    const named = path.extname(name).slice(1).toLowerCase();
    const extension = audioExtensions.includes(named)
      ? named
      : extensionOf(await buffer(createReadStream(copy, { end: headBytes - 1 })));
    return { path: copy, extension, sizeBytes: statSync(copy).size, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

function copyFile(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    throw new CliError(`${from} cannot be read (${errorCodeOf(error) ?? String(error)})`);
  }
}

async function copyStandardInput(to: string, signal: AbortSignal): Promise<void> {
  if (process.stdin.isTTY)
    throw new CliError('there is no audio on standard input', 'pipe some in: … | hearth transcribe -');
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes <= mostPipedBytes) done(null, chunk);
      else done(new CliError(`more than ${formatBytes(mostPipedBytes)} came on standard input`));
    },
  });
  await pipeline(process.stdin, bounded, createWriteStream(to, { flags: 'wx', mode: 0o600 }), { signal });
  if (bytes === 0) throw new CliError('standard input is empty', 'pipe an audio file in');
}

/**
 * The extension under which the API takes a file that begins with these bytes. The content decides how the file is
 * decoded; the extension decides only whether it becomes MP3 first, as `.mp4` and `.webm` do.
 */
export function extensionOf(head: Buffer): string {
  const text = head.toString('latin1');
  if (text.startsWith('RIFF')) return 'wav';
  if (text.startsWith('fLaC')) return 'flac';
  if (text.startsWith('OggS')) return 'ogg';
  if (text.startsWith('\u001AE\u00DF\u00A3')) return 'webm';
  if (text.slice(4, 8) === 'ftyp') return 'mp4';
  return 'mp3';
}
