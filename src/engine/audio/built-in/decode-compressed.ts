import { sampleRateHz } from '../../transcription-types.ts';
import { fileKindOf } from './file-kind.ts';
import { decodeWithLibav, openLibav } from './libav.ts';
import { Mp3Encoder } from './mp3-encoder.ts';
import { PcmOutput, type PcmSink } from './pcm-output.ts';
import { extractAudioStream } from './program-stream.ts';

/** Decodes any file but WAV into `sink`; its content says how. Throws DecodingError and what libraries throw. */
export async function decodeCompressed(file: Uint8Array, sink: PcmSink): Promise<void> {
  const kind = fileKindOf(file);
  if (kind === 'aac') {
    const { decodeAac } = await import('./aac.ts');
    return await decodeAac(file, sink);
  }
  const audio = kind === 'program-stream' ? extractAudioStream(file) : file;
  await decodeWithLibav(await openLibav(), audio, sink, { trimsPadding: false });
}

/** The same, with an MP3 file in between. */
export async function decodeThroughMp3(file: Uint8Array, maxSeconds: number, sink: PcmSink): Promise<void> {
  const libav = await openLibav();
  const encoder = await Mp3Encoder.open(libav, sampleRateHz);
  const toEncoder = new PcmOutput(maxSeconds * sampleRateHz, (samples) => encoder.write(samples));
  await decodeCompressed(file, toEncoder);
  await toEncoder.finish();
  await decodeWithLibav(libav, await encoder.finish(), sink, { trimsPadding: true });
}
