/**
 * Decodes one file without ffmpeg, in a process of its own: `decode-child.ts PATH MAX_SECONDS RATE_HZ [WAV_FORMAT]`,
 * where the last is the WavFormat of a WAV file as JSON. Writes 32-bit floats, mono, to stdout. When the file is at
 * fault or too long it exits with one of `decodingExitCodes` and writes the reason to stderr.
 */
import { open, readFile } from 'node:fs/promises';
import { wavSampleBytes, type WavFormat } from '../wav-format.ts';
import { DecodingError, decodingExitCodes, PcmOutput, TooLongError, type PcmSink } from './pcm-output.ts';
import { toMono } from './wav-samples.ts';

/** Frames of a WAV file that are read at a time. */
const wavPieceFrames = 16_384;

async function main(path: string, maxSeconds: number, rateHz: number, wav?: WavFormat): Promise<void> {
  const output = new PcmOutput(maxSeconds * rateHz, rateHz, writeToStdout);
  if (wav !== undefined) await readWav(path, wav, maxSeconds, output);
  else {
    // Loaded only when needed, since it is large and WAV files are decoded without it.
    const { decodeWithLibav } = await import('./libav.ts');
    await decodeWithLibav(await readFile(path), maxSeconds, output);
  }
  await output.finish();
}

/** Decodes the samples that `format` finds in the WAV file at `path`. */
async function readWav(path: string, format: WavFormat, maxSeconds: number, sink: PcmSink): Promise<void> {
  const { encoding, channels, sampleRateHz: rateHz, data } = format;
  const frameBytes = channels * wavSampleBytes[encoding];
  const dataBytes = data.reduce((sum, { bytes }) => sum + bytes, 0);
  if (dataBytes / frameBytes / rateHz > maxSeconds) throw new TooLongError();
  const file = await open(path);
  try {
    const piece = Buffer.alloc(wavPieceFrames * frameBytes);
    for (const { offset, bytes } of data)
      for (let done = 0; done < bytes; done += piece.length) {
        const length = Math.min(piece.length, bytes - done);
        const { bytesRead } = await file.read(piece, 0, length, offset + done);
        if (!(await sink.write(toMono(piece.subarray(0, bytesRead), encoding, channels), rateHz))) return;
      }
  } finally {
    await file.close();
  }
}

function writeToStdout(samples: Float32Array): Promise<void> {
  const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

const [path = '', maxSeconds = '', rateHz = '', wav] = process.argv.slice(2);
try {
  const wavFormat = wav === undefined ? undefined : (JSON.parse(wav) as WavFormat);
  await main(path, Number(maxSeconds), Number(rateHz), wavFormat);
  process.exit();
} catch (error) {
  // An error of the library is the file's fault too: it throws over damaged files only.
  const reason = error instanceof DecodingError ? error.message : 'it is damaged';
  const exitCode = error instanceof TooLongError ? decodingExitCodes.tooLong : decodingExitCodes.fileAtFault;
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${details}\n${reason}`, () => process.exit(exitCode));
}
