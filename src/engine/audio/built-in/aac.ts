import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import {
  ADTS,
  AdtsOutputFormat,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  Input,
  MP4,
  Output,
  QTFF,
} from 'mediabunny';
import type { EncodedPacket } from 'mediabunny';
import { DecodingError } from './decoding-error.ts';
import type { PcmSink } from './pcm-output.ts';

/** Packets that are decoded at once: a few minutes, and far less memory than a whole file. */
const batchPackets = 8192;

/** Decodes the AAC track of an MP4 file, or a bare AAC stream, into `sink`. Throws DecodingError. */
export async function decodeAac(file: Uint8Array, sink: PcmSink): Promise<void> {
  const input = new Input({ source: new BufferSource(file), formats: [MP4, QTFF, ADTS] });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new DecodingError('it has no audio track');
  const decoderConfig = await track.getDecoderConfig();
  if ((await track.getCodec()) !== 'aac' || decoderConfig === null) {
    throw new DecodingError('the audio in an MP4 file must be AAC where ffmpeg is not installed');
  }
  const decodeFrames = await loadFrameDecoder();
  const audible = new AudibleSpan(await track.computeDuration(), sink);
  let before: EncodedPacket | undefined;
  let batch: EncodedPacket[] = [];
  const decodeBatch = async (): Promise<boolean> => {
    const [first] = batch;
    if (first === undefined) return true;
    // The decoder gives nothing for the first packet that it gets.
    const frames = await toAdts([before ?? first, ...batch], decoderConfig);
    before = batch.at(-1);
    batch = [];
    return await audible.write(await decodeFrames(frames), first.timestamp);
  };
  for await (const packet of new EncodedPacketSink(track).packets()) {
    batch.push(packet);
    if (batch.length === batchPackets && !(await decodeBatch())) return;
  }
  await decodeBatch();
}

interface DecodedFrames {
  readonly samples: Float32Array;
  readonly rateHz: number;
}

/** Lets through what lies between 0 and the end: encoders put silence before and after it. */
class AudibleSpan {
  readonly #endSeconds: number;
  readonly #sink: PcmSink;

  constructor(endSeconds: number, sink: PcmSink) {
    this.#endSeconds = endSeconds;
    this.#sink = sink;
  }

  async write({ samples, rateHz }: DecodedFrames, startSeconds: number): Promise<boolean> {
    const begin = Math.max(0, Math.round(-startSeconds * rateHz));
    const end = Math.round((this.#endSeconds - startSeconds) * rateHz);
    return await this.#sink.write(samples.subarray(begin, Math.max(begin, end)), rateHz);
  }
}

/** AAC frames, each with a header of its own. */
async function toAdts(
  packets: readonly EncodedPacket[],
  decoderConfig: AudioDecoderConfig,
): Promise<ArrayBuffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new AdtsOutputFormat(), target });
  const source = new EncodedAudioPacketSource('aac');
  output.addAudioTrack(source);
  await output.start();
  for (const packet of packets) await source.add(packet, { decoderConfig });
  await output.finalize();
  if (target.buffer === null) throw new DecodingError('it holds no audio');
  return target.buffer;
}

/** The package is written for browsers and for CommonJS: it takes what these have from the global object. */
async function loadFrameDecoder(): Promise<(frames: ArrayBuffer) => Promise<DecodedFrames>> {
  // With it the package would ask the network for its own file.
  Reflect.deleteProperty(globalThis, 'fetch');
  Object.assign(globalThis, { require: createRequire(import.meta.url), __dirname: '' });
  const { getAudioDecoder } = await import('audio-file-decoder');
  const wasm = fileURLToPath(import.meta.resolve('audio-file-decoder/decode-audio.wasm'));
  return async (frames) => {
    const decoder = await getAudioDecoder(wasm, frames);
    const decoded = { samples: decoder.decodeAudioData(), rateHz: decoder.sampleRate };
    decoder.dispose();
    return decoded;
  };
}
