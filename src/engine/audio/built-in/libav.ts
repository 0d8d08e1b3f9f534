import libavFactory from '@libav.js/variant-obsolete';
import type LibAV from '@libav.js/variant-obsolete';
import { DecodingError } from './decoding-error.ts';
import type { PcmSink } from './pcm-output.ts';

/**
 * FFmpeg's libraries as WebAssembly, in the build that has FLAC, MP3, Opus, Vorbis, Ogg and WebM, and LAME.
 * It has no AAC and no MP4.
 */
export type Libav = LibAV.LibAV;

const inputName = 'input';
/** Bytes of packets that are decoded at once. */
const batchBytes = 64 * 1024;
/** FFmpeg's numbers of codecs. */
const codecIds = { mp1: 0x1503a, mp2: 0x15000, mp3: 0x15001 };

export function openLibav(): Promise<Libav> {
  // oxlint-disable-next-line import/no-named-as-default-member -- Its types promise a named export that it has not.
  return libavFactory.LibAV({ noworker: true, nothreads: true });
}

/**
 * Decodes the first audio stream of `file` into `sink`. Throws DecodingError.
 * With `trimsPadding` the silence that an MP3 encoder puts around the audio is cut off.
 */
export async function decodeWithLibav(
  libav: Libav,
  file: Uint8Array,
  sink: PcmSink,
  { trimsPadding }: { trimsPadding: boolean },
): Promise<void> {
  await libav.writeFile(inputName, file);
  const [format, streams] = await libav.ff_init_demuxer_file(inputName).catch(notUnderstood);
  const stream = streams.find(({ codec_type }) => codec_type === libav.AVMEDIA_TYPE_AUDIO);
  if (stream === undefined) throw new DecodingError('it has no audio track');
  // The decoder of all three layers of MPEG audio is in this build under the name of the third only.
  const isOtherLayer = stream.codec_id === codecIds.mp1 || stream.codec_id === codecIds.mp2;
  const codecId = isOtherLayer ? codecIds.mp3 : stream.codec_id;
  await libav.AVCodecParameters_codec_id_s(stream.codecpar, codecId);
  const [, context, packet, frame] = await libav
    .ff_init_decoder(codecId, {
      codecpar: stream.codecpar,
      time_base: [stream.time_base_num, stream.time_base_den],
    })
    .catch(notUnderstood);
  for (;;) {
    const [result, packets] = await libav.ff_read_frame_multi(format, packet, { limit: batchBytes });
    const ended = result !== 0 && result !== -libav.EAGAIN;
    const batch = packets[stream.index] ?? [];
    // What is to be cut off is written beside the packets.
    if (!trimsPadding) for (const taken of batch) taken.side_data = null;
    const frames = await libav.ff_decode_multi(context, packet, frame, batch, {
      fin: ended,
      ignoreErrors: true,
    });
    for (const decoded of frames) {
      if (!(await sink.write(toMono(decoded), decoded.sample_rate ?? 0))) return;
    }
    if (ended) return;
  }
}

function notUnderstood(cause: unknown): never {
  throw new DecodingError('its format is not known or damaged', { cause });
}

/** The mean of all channels of a decoded frame. */
function toMono(frame: LibAV.Frame): Float32Array {
  const planes = (Array.isArray(frame.data) ? frame.data : [frame.data]) as SampleArray[];
  const count = frame.nb_samples ?? 0;
  const mono = new Float32Array(count);
  for (const plane of planes) {
    // One plane per channel, or one for all whose samples take turns.
    const turns = planes.length > 1 ? 1 : Math.max(1, Math.floor(plane.length / Math.max(1, count)));
    const scale = 1 / (fullScale(plane) * turns * planes.length);
    for (let index = 0; index < count * turns; index++) {
      const position = Math.floor(index / turns);
      mono[position] = (mono[position] ?? 0) + (plane[index] ?? 0) * scale;
    }
  }
  return mono;
}

type SampleArray = Float32Array | Float64Array | Int16Array | Int32Array;

function fullScale(samples: SampleArray): number {
  if (samples instanceof Int16Array) return 2 ** 15;
  return samples instanceof Int32Array ? 2 ** 31 : 1;
}
