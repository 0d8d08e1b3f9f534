/**
 * Decodes one file without ffmpeg, in a process of its own: `decode-child.ts PATH MAX_SECONDS [through-mp3]`.
 * Writes 32-bit floats, mono, 16 kHz to stdout. Exits with 65 when the file is at fault, the reason on stderr.
 */
import { open, readFile } from 'node:fs/promises';
import { sampleRateHz } from '../../transcription-types.ts';
import { readWavFormat, wavSampleBytes } from '../wav-format.ts';
import { DecodingError, fileAtFaultExitCode } from './decoding-error.ts';
import { PcmOutput, type PcmSink } from './pcm-output.ts';
import { toMono } from './wav-samples.ts';

/** Frames of a WAV file that are read at once. */
const wavPieceFrames = 16_384;

async function main(path: string, maxSeconds: number, throughMp3: boolean): Promise<void> {
  const output = new PcmOutput(maxSeconds * sampleRateHz, writeToStdout);
  const wav = await readWav(path, output);
  if (!wav) {
    // What it takes is big, and a WAV file should not wait for it.
    const { decodeCompressed, decodeThroughMp3 } = await import('./decode-compressed.ts');
    const file = await readFile(path);
    await (throughMp3 ? decodeThroughMp3(file, maxSeconds, output) : decodeCompressed(file, output));
  }
  await output.finish();
}

/** Decodes `path` if it is a WAV file that hearth reads by itself; false when it is not. */
async function readWav(path: string, sink: PcmSink): Promise<boolean> {
  const file = await open(path);
  try {
    const format = await readWavFormat(file);
    if (format === undefined) return false;
    const { encoding, channels, sampleRateHz: rateHz, dataOffset, dataBytes } = format;
    const piece = Buffer.alloc(wavPieceFrames * channels * wavSampleBytes[encoding]);
    for (let done = 0; done < dataBytes; done += piece.length) {
      const length = Math.min(piece.length, dataBytes - done);
      const { bytesRead } = await file.read(piece, 0, length, dataOffset + done);
      if (!(await sink.write(toMono(piece.subarray(0, bytesRead), encoding, channels), rateHz))) break;
    }
    return true;
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

const [path = '', maxSeconds = '', mode] = process.argv.slice(2);
try {
  await main(path, Number(maxSeconds), mode === 'through-mp3');
  process.exit();
} catch (error) {
  // Whatever a library throws over a damaged file: it is the file that made it.
  const reason = error instanceof DecodingError ? error.message : 'it is damaged';
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${details}\n${reason}`, () => process.exit(fileAtFaultExitCode));
}
